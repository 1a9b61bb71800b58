/** What an instance has of the routes that the gateway had before it: batches, tools by path, TOON. */
import { decode } from '@toon-format/toon';
import { expect, test } from 'vitest';
import { answering } from '../skills/support.ts';
import { type Json, raw, restApp } from './support.ts';

async function served() {
  const found = await restApp({ rig: answering('rig', 'yes', { svc: '    dcc: maya' }) });
  await found.app.skills.load('rig');
  const send = (path: string, body: Json, headers: Record<string, string> = {}) =>
    raw(found.url, `/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return { ...found, send };
}

const tool_slug = 'maya.rig.rig_answer';

test('a batch runs in order, each call with its own outcome [spec:shape:batch]', async () => {
  const { send } = await served();
  const calls = [{ id: 'a', tool_slug }, { tool_slug: 'maya.rig.nobody' }, {}, { tool_slug, arguments: '{}' }];
  const { status, json } = await send('call_batch', { calls }, { 'x-request-id': 'b1' });
  expect(status).toBe(200);
  expect(json).toMatchObject({ success: false, stop_on_error: false, request_id: 'b1' });
  expect(json.results).toMatchObject([
    { index: 0, id: 'a', tool_slug, ok: true, result: { slug: tool_slug, output: { answer: 'yes' } } },
    { index: 1, ok: false, error: { kind: 'unknown-slug' } },
    { index: 2, ok: false, error: { kind: 'bad-request' } },
    { index: 3, ok: true },
  ]);
  const stopped = await send('call', { calls: calls.slice(1), stop_on_error: true });
  expect(stopped.json.results).toHaveLength(1);
  const refused = await send('call_batch', { calls: [] }, { 'x-request-id': 'b2' });
  expect(refused.status).toBe(400);
  expect(refused.json).toMatchObject({ success: false, kind: 'bad-request', request_id: 'b2' });
});

test('a tool is described by its path as by its slug [spec:shape:describe]', async () => {
  const { get, send } = await served();
  const { json } = await get(`/v1/tools/${tool_slug}`);
  const { request_id: _, ...described } = (await send('describe', { tool_slug })).json;
  expect(json).toMatchObject(described);
  expect((await get('/v1/tools/maya.rig.nobody')).status).toBe(404);
});

test('blanks around a name are none of it, as at the gateway; blanks alone are no name [spec:shape:call]', async () => {
  const { send } = await served();
  expect((await send('call', { tool_slug: ` ${tool_slug}\n` })).json).toMatchObject({ slug: tool_slug });
  expect((await send('call', { tool_slug: ' ' })).json).toMatchObject({
    kind: 'bad-request',
    context: { field: 'tool_slug' },
  });
});

test('an instance answers in TOON who asks for it, failures too, and in JSON everybody else [spec:shape:encoding]', async () => {
  const { send } = await served();
  const plain = await send('call', { tool_slug });
  expect(plain.headers['content-type']).toMatch(/^application\/json/);
  for (const asked of [
    await send('call', { tool_slug }, { accept: 'application/toon' }),
    await send('call', { tool_slug, response_format: 'toon' }),
  ]) {
    expect(asked.headers).toMatchObject({
      'content-type': 'application/toon',
      vary: 'Accept',
      'x-svc-response-format': 'toon',
      'x-svc-returned-bytes': String(Buffer.byteLength(asked.text)),
    });
    expect(decode(asked.text)).toMatchObject({ slug: tool_slug, output: { answer: 'yes' } });
  }
  await send('unload_skill', { skill_name: 'rig' });
  const found = decode((await send('search', { query: 'rig_answer', compact: true })).text) as Json;
  expect(found.hits).toEqual([{ tool_slug, summary: expect.any(String), next_step: 'load_skill' }]);
  // The slug is enough.
  expect((await send('load_skill', { tool_slug })).json).toMatchObject({
    skill_name: 'rig',
    new_tool_slugs: [tool_slug],
  });
  expect((await send('load_skill', { tool_slug: 'maya.rig.nothing' })).status).toBe(404);
  const described = decode((await send('describe', { tool_slug, compact: true })).text);
  expect(described).toMatchObject({ tool_slug, input_schema: { type: 'object' }, next_step: 'call' });
  const failed = await send('call', { tool_slug: 'a.b.c' }, { accept: 'text/toon', 'x-request-id': 't1' });
  expect([failed.status, failed.headers['content-type']]).toEqual([404, 'application/toon']);
  expect(decode(failed.text)).toMatchObject({ kind: 'unknown-slug', request_id: 't1' });
});
