import { decode } from '@toon-format/toon';
import { expect, test } from 'vitest';
import type { Server } from '../../../../plugins/index.ts';
import { waitFor } from '../../../helper.ts';
import { verifies } from '../../../spec/verifies.ts';
import { answering } from '../../skills/support.ts';
import { gatewayOver, type Json, raw, toolsOfHost } from '../support.ts';

const maya = { dcc_type: 'maya', setup: toolsOfHost };
const rig = answering('rig', 'yes', {
  tools:
    'tools:\n  - name: rig_answer\n    description: Answers about rigs.\n    read_only: true\n    input_schema:\n      type: object\n      required: [depth]\n      additionalProperties: false\n      properties: { depth: { type: integer, default: 1 } }\n  - name: rig_extra\n    description: Hidden in a group.\n    group: extras\ngroups:\n  - { name: extras, description: More., tools: [rig_extra] }\n',
  svc: '    dcc: maya',
  files: { 'tools/rig_extra.ts': 'export default () => "extra";\n' },
});

const hitsOf = (answer: { json: Json }) => answer.json.hits as Json[];

verifies(
  ['gateway-rest:search', 'gateway-rest:load_skill'],
  'a hit leads by its own next steps to a load, a description and a call [spec:shape:search]',
  async () => {
    const { post, follow } = await gatewayOver([{ ...maya, packages: { rig } }]);
    const found = await post('search', { query: 'rig_answer' }, { 'x-request-id': 's1' });
    expect(found.status).toBe(200);
    expect(found.json).toMatchObject({
      semantic: { active: false },
      request_id: 's1',
      ranker_version: 'gateway-hybrid-v2',
    });
    expect(found.headers).toMatchObject({ 'x-request-id': 's1', 'x-svc-search-id': found.json.search_id });
    const [hit] = hitsOf(found);
    expect(hit).toMatchObject({
      rank: 1,
      loaded: false,
      load_state: 'unloaded',
      callable: false,
      next_step: { action: 'load_skill' },
    });
    expect(hit).not.toHaveProperty('input_schema');

    const loaded = await follow(hit?.next_step);
    expect(loaded.json).toMatchObject({
      loaded: true,
      skill_name: 'rig',
      dcc_type: 'maya',
      new_tool_slugs: expect.arrayContaining([hit?.tool_slug]),
      compact_schema: {
        tool_slug: hit?.tool_slug,
        complete_for_call: true,
        required: ['depth'],
        property_keys: ['depth'],
      },
      next_step: { action: 'describe' },
    });
    const described = await follow(loaded.json.next_step);
    expect(described.json).toMatchObject({
      record: { tool_slug: hit?.tool_slug, callable: true, load_state: 'loaded' },
      tool: { name: 'rig_answer', inputSchema: { required: ['depth'] } },
      next_step: { action: 'call', arguments: { arguments: { depth: 1 } } },
    });
    const called = await follow(described.json.next_step);
    expect(called.status).toBe(200);
    expect(called.json).toMatchObject({
      structuredContent: { answer: 'yes', args: { depth: 1 } },
      _meta: { dcc: { dcc_type: 'maya' } },
    });
    expect(called.json).not.toHaveProperty('request_id');
  },
);

verifies(
  ['gateway-rest:describe'],
  'describe by body and by path, with and without schema, 400 without a slug [spec:shape:describe]',
  async () => {
    const { post, url, hosts } = await gatewayOver([maya]);
    const slug = `maya.${hosts[0]?.short}.echo`;
    const body = await post('describe', { tool_slug: slug });
    expect(body.json).toMatchObject({
      record: { tool_slug: slug },
      tool: { name: 'echo', annotations: { readOnlyHint: true } },
    });
    expect(body.json).not.toHaveProperty('next_step');
    const path = await raw(url, `/v1/tools/${encodeURIComponent(slug)}`, { headers: { accept: 'application/json' } });
    expect(path.json.tool).toEqual(body.json.tool);
    expect((await post('describe', { tool_slug: slug, include_schema: false })).json.tool).not.toHaveProperty(
      'inputSchema',
    );
    const refused = await post('describe', { skill_name: 'rig' });
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({
      error: { kind: 'bad-request', message: expect.stringContaining('tool_slug') },
    });
  },
);

verifies(
  ['gateway-rest:load_skill'],
  'groups are switched, skills unloaded, and what is not known is said [spec:shape:load]',
  async () => {
    const { post, hosts } = await gatewayOver([{ ...maya, packages: { rig } }]);
    const extra = `maya.${hosts[0]?.short}.rig_extra`;
    expect((await post('load_skill', { skill_name: 'rig', activate_groups: false })).json).toMatchObject({
      loaded: true,
    });
    const inactive = await post('call', { tool_slug: extra });
    expect(inactive.status).toBe(409);
    expect(inactive.json).toMatchObject({ error: { kind: 'skill-not-loaded', next_step: { action: 'load_skill' } } });
    const on = await post('load_skill', { tool_group: 'extras', dcc: 'maya' });
    expect(on.json).toMatchObject({
      success: true,
      group: 'extras',
      changed: true,
      active_groups: ['extras'],
      new_tool_slugs: [extra],
    });
    expect((await post('call', { tool_slug: extra })).json).toMatchObject({ content: [{ text: 'extra' }] });
    const off = await post('load_skill', { tool_group: 'extras', group_action: 'deactivate', skill_name: 'rig' });
    expect(off.json).toMatchObject({ success: true, changed: true, active_groups: [] });
    expect((await post('unload_skill', { skill_name: 'rig' })).json).toMatchObject({
      unloaded: true,
      tools_removed: 2,
    });

    const refusals: [Json, number, string][] = [
      [{}, 400, 'bad-request'],
      [{ skill_name: 'rig', group_action: 'explode' }, 400, 'bad-request'],
      [{ skill_name: 'rig', group_action: 'deactivate' }, 400, 'bad-request'],
      [{ skill_name: 'nothing' }, 400, 'skill-not-found'],
      [{ tool_group: 'nothing' }, 400, 'group-not-found'],
      [{ skill_name: 'rig', instance_id: 'ab' }, 400, 'bad-request'],
      [{ skill_name: 'rig', instance_id: 'ffffffff' }, 404, 'instance-offline'],
    ];
    for (const [body, status, kind] of refusals) {
      const answer = await post('load_skill', body);
      expect([answer.status, (answer.json.error as Json)?.kind], JSON.stringify(body)).toEqual([status, kind]);
    }
  },
);

verifies(
  ['gateway-rest:call'],
  'a call is passed through with its origin, failures of the tool included [spec:shape:call]',
  async () => {
    const error = { code: 'NAME_TAKEN', message: 'it is taken', number: 5 };
    const setup = async (server: Server) => {
      toolsOfHost(server);
      const result = { content: [{ type: 'text', text: 'it is taken' }], isError: true, _meta: { dcc: { error } } };
      await server.registerTool({ name: 'refuses' }, () => result);
    };
    const { post, hosts } = await gatewayOver([{ ...maya, setup }]);
    const [host] = hosts;
    const slug = (tool: string) => `maya.${host?.short}.${tool}`;
    const origin = {
      dcc_type: 'maya',
      instance_id: host?.id,
      instance_short: host?.short,
      display_id: `maya@2026-${host?.short}`,
    };
    for (const args of [{ text: 'hi' }, '{"text":"hi"}']) {
      const answer = await post('call', { tool_slug: slug('echo'), arguments: args });
      expect(answer.json).toEqual({
        content: [{ type: 'text', text: '{"text":"hi"}' }],
        structuredContent: { text: 'hi' },
        _meta: { dcc: origin },
      });
    }
    expect((await post('call', { tool_slug: slug('echo'), params: { text: 'hi' } })).status).toBe(200);
    const failed = await post('call', { tool_slug: slug('fails') });
    expect([failed.status, failed.json.isError]).toEqual([200, true]);
    // What a tool says of its own failure is its word, and no error of its instance.
    expect((await post('call', { tool_slug: slug('refuses') })).json).toEqual({
      content: [{ type: 'text', text: 'it is taken' }],
      isError: true,
      _meta: { dcc: { ...origin, error } },
    });
    const thrown = await post('call', { tool_slug: slug('throws') });
    expect([thrown.status, (thrown.json.error as Json).kind]).toEqual([502, 'tool-error']);
    expect((thrown.json.error as Json).message).toBe('Tool "throws" failed: it broke');
    const batch = await post('call_batch', { calls: [{ tool_slug: slug('throws') }] });
    expect(batch.json).toMatchObject({ results: [{ ok: false, error: { kind: 'tool-error' } }] });
    const wrong = await post('call', { tool_slug: slug('echo'), arguments: { text: 1 } });
    expect([wrong.status, (wrong.json.error as Json).kind]).toEqual([400, 'invalid-params']);
    expect((wrong.json.error as Json).message).toContain('text');
    for (const given of [[], 3, true, 'text']) {
      const bad = await post('call', { tool_slug: slug('echo'), arguments: given });
      expect([bad.status, (bad.json.error as Json).kind]).toEqual([400, 'bad-request']);
    }
    const unknown = await post('call', { tool_slug: slug('ecko') });
    expect(unknown.status).toBe(404);
    expect(unknown.json).toMatchObject({
      error: { kind: 'unknown-slug', candidates: expect.arrayContaining([slug('echo')]) },
    });
  },
);

test('a slug that the index does not know yet is looked for once more [spec:shape:call]', async () => {
  const { post, hosts } = await gatewayOver([maya]);
  const [host] = hosts;
  host?.server.registerTool({ name: 'late', description: 'Came later.' }, () => 'here');
  const answer = await post('call', { tool_slug: `maya.${host?.short}.late` });
  expect(answer.json).toMatchObject({ content: [{ text: 'here' }] });
});

test('a job answers with its receipt, is polled by its own next step, or waited for [spec:shape:call]', async () => {
  const { post, follow, hosts, app } = await gatewayOver([maya]);
  const slug = `maya.${hosts[0]?.short}.render`;
  const receipt = await post('call', { tool_slug: slug, meta: { progressToken: 'p1' } });
  expect(receipt.status).toBe(200);
  const job_id = (receipt.json.structuredContent as Json).job_id;
  expect(receipt.json).toMatchObject({
    structuredContent: { status: 'pending' },
    _meta: { dcc: { jobId: job_id, dcc_type: 'maya' } },
  });
  expect((await app.delivery.ownerOf(String(job_id))).instance_id).toBe(hosts[0]?.id);
  const step = ((receipt.json._meta as Json).dcc as Json).next_step;
  const done = await waitFor(async () => {
    const polled = await follow(step);
    const record = polled.json.structuredContent as Json;
    return record.status === 'completed' ? record : undefined;
  }, 'the job to end');
  expect(done).toMatchObject({ job_id, result: { structuredContent: { frames: 3 } } });

  const waited = await post('call', { tool_slug: slug, meta: { dcc: { async: true, wait_for_terminal: true } } });
  expect(waited.json).toMatchObject({
    structuredContent: { status: 'completed', result: { structuredContent: { frames: 3 } } },
    _meta: { status: 'completed', dcc: { status: 'completed', dcc_type: 'maya' } },
  });
  const failed = await post('call', {
    tool_slug: slug,
    arguments: { fail: true },
    meta: { dcc: { wait_for_terminal: true } },
  });
  expect(failed.json).toMatchObject({
    isError: true,
    structuredContent: { status: 'failed', error: expect.stringContaining('no film') },
  });
  const meta = { dcc: { wait_for_terminal: true, wait_timeout_ms: 50 } };
  const late = await post('call', { tool_slug: slug, arguments: { ms: 1000 }, meta });
  expect(late.json).toMatchObject({
    _meta: { dcc: { timed_out: true, status: expect.stringMatching(/pending|running/) } },
  });
});

verifies(
  ['gateway-rest:call_batch'],
  'a batch runs in order, keeps 200, and stops where it is told to [spec:shape:batch]',
  async () => {
    const { post, hosts } = await gatewayOver([maya]);
    const slug = (tool: string) => `maya.${hosts[0]?.short}.${tool}`;
    const calls = [
      { id: 'a', tool_slug: slug('echo'), arguments: { text: '1' } },
      { id: 2, tool_slug: slug('fails') },
      { arguments: {} },
      { id: true, tool_slug: slug('nothing') },
      { tool_slug: slug('echo'), arguments: '{"text":"5"}' },
    ];
    const all = await post('call_batch', { calls }, { 'x-request-id': 'b1' });
    expect(all.status).toBe(200);
    expect(all.json).toMatchObject({ success: false, stop_on_error: false, request_id: 'b1' });
    expect(all.json.results).toMatchObject([
      { index: 0, id: 'a', tool_slug: slug('echo'), ok: true, result: { structuredContent: { text: '1' } } },
      { index: 1, id: 2, ok: false, result: { isError: true }, error: { kind: 'tool-error', message: 'no luck' } },
      { index: 2, ok: false, error: { kind: 'bad-request' } },
      { index: 3, id: true, ok: false, error: { kind: 'unknown-slug', candidates: expect.any(Array) } },
      { index: 4, ok: true, result: { structuredContent: { text: '5' } } },
    ]);
    const stopped = await post('call', { calls, stop_on_error: true });
    expect((stopped.json.results as Json[]).map(each => each.ok)).toEqual([true, false]);
    expect((await post('call_batch', { calls: calls.slice(0, 1) })).json.success).toBe(true);
    const many = Array.from({ length: 26 }, () => calls[0]);
    for (const given of [undefined, [], 'calls', many, [1], [{ tool_slug: slug('echo'), arguments: [] }]]) {
      const refused = await post('call_batch', { calls: given });
      expect([refused.status, refused.json.success, (refused.json.error as Json).kind]).toEqual([
        400,
        false,
        'bad-request',
      ]);
    }
    const wrong = await post('call_batch', { calls: [{ tool_slug: slug('echo'), arguments: [] }] });
    expect((wrong.json.error as Json).message).toBe(
      'Bad request: calls[0]: "arguments" must be an object, or JSON text of one',
    );
  },
);

verifies(
  ['gateway-rest:encoding', 'gateway-rest:encoding-json'],
  'TOON unless JSON is asked for, failures too, with headers that account for it [spec:shape:encoding]',
  async () => {
    const { url, post, hosts } = await gatewayOver([maya]);
    const send = (path: string, body: unknown, accept?: string) =>
      raw(url, `/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(accept && { accept }) },
        body: JSON.stringify(body),
      });
    const toon = await send('search', { query: 'echo' });
    expect(toon.headers).toMatchObject({
      'content-type': 'application/toon',
      vary: 'Accept',
      'x-svc-response-format': 'toon',
      'x-svc-token-estimator': 'svc-byte4-v1',
      'x-svc-returned-bytes': String(Buffer.byteLength(toon.text)),
      'x-svc-trace-id': expect.stringMatching(/^[0-9a-f]{32}$/),
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
      'x-svc-index-generation': expect.any(String),
      'x-svc-request-id': toon.headers['x-request-id'],
    });
    expect(Number(toon.headers['x-svc-saved-tokens'])).toBeGreaterThan(0);
    const decoded = decode(toon.text) as Json;
    expect(decoded.total).toBe(1);
    expect(decoded.hits).toEqual([
      { tool_slug: `maya.${hosts[0]?.short}.echo`, summary: 'Echoes a text.', next_step: 'describe' },
    ]);
    expect(decoded.how).toBe('POST the tool_slug of the row to /v1/<next_step>');
    expect((await send('search', { query: 'echo' }, '*/*')).headers['content-type']).toBe('application/toon');
    expect((await send('search', { compact: true }, 'application/json')).headers['content-type']).toBe(
      'application/toon',
    );
    expect((await send('search', { response_format: 'json' })).headers['x-svc-response-format']).toBe('json');
    const failed = await send('call', { tool_slug: 'a.bcde.f' });
    expect([failed.status, failed.headers['content-type']]).toEqual([404, 'application/toon']);
    expect(decode(failed.text)).toMatchObject({
      error: { kind: expect.any(String), previous_status: 'never-registered' },
    });
    const called = await send('call', { tool_slug: `maya.${hosts[0]?.short}.echo`, arguments: { text: 'hi' } });
    expect(decode(called.text)).toMatchObject({
      structuredContent: { text: 'hi' },
      _meta: { dcc: { dcc_type: 'maya' } },
    });
    const batch = await send('call_batch', {
      calls: [{ tool_slug: `maya.${hosts[0]?.short}.echo`, arguments: { text: 'x' } }],
    });
    expect(decode(batch.text)).toMatchObject({
      results: [{ ok: true, token_accounting: { estimator: 'svc-byte4-v1' } }],
    });
    const skills = await raw(url, '/v1/skills');
    expect(skills.headers['content-type']).toMatch(/^application\/json/);
    expect(skills.json.skills).toContainEqual(
      expect.objectContaining({ action: 'echo', loaded: true, scope: 'gateway' }),
    );

    const trace = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-00';
    const traced = await post('search', {}, { traceparent: trace });
    expect(traced.json.trace_id).toBe('0123456789abcdef0123456789abcdef');
    expect(traced.headers.traceparent).toMatch(/^00-0123456789abcdef0123456789abcdef-[0-9a-f]{16}-00$/);
  },
);

test('the configuration decides where the client says nothing', async () => {
  const { url } = await gatewayOver([], { gateway_response_format: 'json' });
  const answer = await raw(url, '/v1/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(answer.json).toMatchObject({ total: 0, hits: [] });
});

test('bodies that are no JSON object are refused in the negotiated form; a search without a body browses', async () => {
  const { url, post } = await gatewayOver([maya], { max_request_body_bytes: 2048 });
  for (const body of ['{', '[]', '"text"', '3']) {
    const answer = await post('call', body);
    expect([answer.status, (answer.json.error as Json).kind]).toEqual([400, 'bad-request']);
  }
  const large = await post('call', JSON.stringify({ tool_slug: 'x'.repeat(4000) }));
  expect([large.status, (large.json.error as Json).kind]).toEqual([413, 'bad-request']);
  const browsed = await raw(url, '/v1/search', { method: 'POST', headers: { accept: 'application/json' } });
  expect(browsed.json.total).toBeGreaterThan(0);
});

test('a search whose body cannot be read takes the defaults; one beyond the limit is refused [spec:shape:search]', async () => {
  const { post } = await gatewayOver([maya], { max_request_body_bytes: 2048 });
  const browsed = (await post('search', '{}')).json.total;
  expect(browsed).toBeGreaterThan(0);
  for (const body of ['{', 'not JSON', '[]', '"text"', '3', 'null']) {
    const answer = await post('search', body, { 'x-request-id': 'mine' });
    expect([answer.status, answer.json.total, answer.json.request_id]).toEqual([200, browsed, 'mine']);
  }
  expect((await post('search', JSON.stringify({ query: 'x'.repeat(4000) }))).status).toBe(413);
});
