import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answering, type Files } from '../skills/support.ts';
import { type Json, raw, restApp } from './support.ts';

const tools =
  'tools:\n  - name: rig_answer\n    description: Answers about rigs.\n    read_only: true\n    input_schema:\n      type: object\n      required: [depth]\n      additionalProperties: false\n      properties: { depth: { type: integer } }\n  - name: rig_extra\n    description: Hidden in a group.\n    group: extras\n  - name: rig_bare\n    description: Has no file.\ngroups:\n  - { name: extras, description: More., tools: [rig_extra] }\n';
const packages: Record<string, Files> = {
  rig: answering('rig', 'yes', {
    tools,
    svc: '    dcc: maya\n    tags: [rigging, fast]',
    files: { 'tools/rig_extra.ts': 'export default () => "plain text";\n' },
  }),
  paint: answering('paint', 'red', { description: 'Paints surfaces.' }),
};

async function served() {
  const found = await restApp(packages);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    raw(found.url, `/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { ...found, post };
}

test('search finds tools of loaded and unloaded skills, with slugs and the next step [spec:shape:search]', async () => {
  const { app, post } = await served();
  const before = await post('search', { query: 'rig_answer' }, { 'x-request-id': 's1' });
  expect(before.json).toMatchObject({ total: 1, request_id: 's1' });
  expect((before.json.hits as Json[])[0]).toMatchObject({
    slug: 'maya.rig.rig_answer',
    skill: 'rig',
    action: 'rig_answer',
    dcc: 'maya',
    loaded: false,
    next_step: { action: 'load_skill', rest: { method: 'POST', path: '/v1/load_skill', body: { skill_name: 'rig' } } },
  });
  expect((await post('search', { query: 'rig_answer', loaded_only: true })).json.total).toBe(0);
  await app.skills.load('rig');
  const hits = (await post('search', { query: 'rig' })).json.hits as Json[];
  expect(hits.map(each => each.slug)).toContain('maya.rig.rig_answer');
  expect(hits[0]).toMatchObject({ loaded: true, summary: expect.any(String), next_step: { action: 'describe' } });
  expect((await post('search', {})).json.total).toBeGreaterThan(2);
  expect((await post('search', { dcc_type: 'Maya', tags: ['FAST'], limit: 1 })).json.total).toBe(1);
  expect((await post('search', { dcc_types: ['blender'] })).json.total).toBe(0);
  expect((await post('search', { tags_any: ['none', 'rigging'] })).json.total).toBe(3);
});

test('describe gives entry, description, schema and annotations [spec:shape:describe]', async () => {
  const { app, post } = await served();
  await app.skills.load('rig');
  const answer = await post('describe', { tool_slug: 'maya.rig.rig_answer' });
  expect(answer.json).toMatchObject({
    entry: { slug: 'maya.rig.rig_answer', skill: 'rig', dcc: 'maya', loaded: true, has_schema: true, scope: 'admin' },
    description: 'Answers about rigs.',
    input_schema: { required: ['depth'] },
    annotations: { readOnlyHint: true },
  });
  const short = await post('describe', { tool_slug: 'maya.rig.rig_answer', include_schema: false });
  expect(short.json.input_schema).toBeUndefined();
});

test('call runs the tool by slug; arguments as object, JSON text, params or absent [spec:shape:call]', async () => {
  const { app, post } = await served();
  await app.skills.load('rig');
  app.tools.publish('host', [{ definition: { name: 'ping_host' }, handler: () => ({ pong: 1 }) }], { source: 'host' });
  const slug = 'maya.rig.rig_answer';
  for (const body of [{ arguments: { depth: 2 } }, { arguments: '{"depth":2}' }, { params: { depth: 2 } }]) {
    const answer = await post('call', { tool_slug: slug, ...body }, { 'x-request-id': 'c' });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ slug, output: { answer: 'yes' }, validation_skipped: false, request_id: 'c' });
  }
  expect((await post('call', { tool_slug: 'maya.rig.rig_extra' })).json).toMatchObject({ output: 'plain text' });
  expect((await post('call', { tool_slug: 'python.host.ping_host' })).json).toMatchObject({ output: { pong: 1 } });
});

test('errors of the call family: kinds and statuses [spec:shape:envelope]', async () => {
  const { app, post } = await served();
  const unloaded = await post('call', { tool_slug: 'maya.rig.rig_answer' });
  expect(unloaded.status).toBe(409);
  expect(unloaded.json).toMatchObject({ kind: 'skill-not-loaded', message: expect.stringContaining('"rig"') });
  await app.skills.load('rig');
  for (const [path, body, status, kind] of [
    ['call', {}, 400, 'bad-request'],
    ['describe', { tool_slug: 7 }, 400, 'bad-request'],
    ['call', { tool_slug: 'maya.rig.gone' }, 404, 'unknown-slug'],
    ['call', { tool_slug: '__proto__' }, 404, 'unknown-slug'],
    ['call', { tool_slug: 'maya.rig.rig_answer', arguments: [] }, 400, 'bad-request'],
    ['call', { tool_slug: 'maya.rig.rig_answer', arguments: 'x' }, 400, 'bad-request'],
    ['call', { tool_slug: 'maya.rig.rig_answer', arguments: 3 }, 400, 'bad-request'],
    ['call', { tool_slug: 'maya.rig.rig_answer', meta: [] }, 400, 'bad-request'],
    ['call', { tool_slug: 'maya.rig.rig_answer', arguments: { depth: 'x' } }, 400, 'invalid-params'],
    ['search', '{', 400, 'bad-request'],
    ['search', [], 400, 'bad-request'],
    ['load_skill', {}, 400, 'bad-request'],
    ['load_skill', { skill_name: 'ghost' }, 404, 'skill-not-found'],
    ['unload_skill', { skill_name: 'ghost' }, 404, 'skill-not-found'],
  ] as const) {
    const answer = await post(path, body, { 'x-request-id': 'e' });
    expect([answer.status, answer.json.kind], `${path} ${JSON.stringify(body)} ${answer.text}`).toEqual([status, kind]);
    expect(answer.json.request_id).toBe('e');
  }
  const near = await post('call', { tool_slug: 'maya.rig.answer' });
  expect(near.json.candidates).toEqual(['maya.rig.rig_answer']);
  expect((await post('call', { tool_slug: 'maya.rig.rig_bare' })).status).toBe(503);
});

test('load_skill, group changes and unload_skill; GET /v1/skills follows [spec:shape:load]', async () => {
  const { get, post } = await served();
  expect((await get('/v1/skills')).json).toMatchObject({ total: 0, skills: [] });
  const loaded = await post('load_skill', { skill_name: 'rig', skill_names: ['paint'], activate_groups: false });
  expect(loaded.status).toBe(200);
  expect(loaded.json).toMatchObject({
    loaded: true,
    skill_name: 'rig',
    newly_loaded: ['rig', 'paint'],
    new_tool_slugs: ['maya.rig.rig_answer', 'maya.rig.rig_bare', 'maya.rig.rig_extra', 'python.paint.paint_answer'],
  });
  const inactive = await post('call', { tool_slug: 'maya.rig.rig_extra' });
  expect(inactive.status).toBe(409);
  const group = await post('load_skill', { tool_group: 'extras' });
  expect(group.json).toMatchObject({ success: true, group: 'extras', changed: true, active_groups: ['extras'] });
  expect((await post('call', { tool_slug: 'maya.rig.rig_extra' })).status).toBe(200);
  const off = await post('load_skill', { group_name: 'extras', group_action: 'deactivate' });
  expect(off.json).toMatchObject({ success: true, changed: true, active_groups: [] });
  expect((await get('/v1/skills')).json).toMatchObject({ total: 4 });
  expect((await post('unload_skill', { skill_name: 'rig' })).json).toMatchObject({ unloaded: true, tools_removed: 3 });
  const left = (await get('/v1/skills')).json;
  expect(left).toMatchObject({
    total: 1,
    skills: [{ slug: 'python.paint.paint_answer', loaded: true, scope: 'admin' }],
  });
});

test('the guard and the body limit hold for POST; a body that is no JSON is refused', async () => {
  const { url, post } = await served();
  expect((await post('call', {}, { origin: 'https://evil.example' })).status).toBe(403);
  const plain = await raw(url, '/v1/call', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' });
  expect(plain.status).toBe(415);
  const big = await post('search', { query: 'x'.repeat(5 * 1024 * 1024) });
  expect(big.status).toBe(413);
  expect(big.json.request_id).toEqual(expect.any(String));
});

test('property: whatever the body says, the answer is of the table', async () => {
  const { url, app } = await served();
  await app.skills.load('rig');
  const field = fc.constantFrom(
    'query',
    'tool_slug',
    'arguments',
    'params',
    'meta',
    'limit',
    'tags',
    'dcc_types',
    'scope',
  );
  const value = fc.oneof(fc.constant('maya.rig.rig_answer'), fc.jsonValue({ maxDepth: 2 }));
  const body = fc.oneof(
    fc.dictionary(field, value).map(each => JSON.stringify(each)),
    fc.json(),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('search', 'describe', 'call'), body, async (path, sent) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await raw(url, `/v1/${path}`, { method: 'POST', headers, body: sent });
      expect([200, 400, 404]).toContain(answer.status);
      expect(answer.json.request_id).toEqual(expect.any(String));
    }),
    { numRuns: 200 },
  );
});
