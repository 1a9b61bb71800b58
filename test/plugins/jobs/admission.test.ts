import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { admits, progressTokenOf } from '../../../plugins/jobs/admission.ts';
import { rig, tool } from './support.ts';

test('Job admission: string and number tokens opt in; null, boolean, array and object do not', () => {
  expect(progressTokenOf({ progressToken: 'a' })).toBe('a');
  expect(progressTokenOf({ progressToken: '' })).toBe('');
  expect(progressTokenOf({ progressToken: 0 })).toBe(0);
  for (const token of [null, true, false, [], ['a'], {}, Number.NaN, undefined]) {
    expect(progressTokenOf({ progressToken: token })).toBeUndefined();
  }
});

test('Job admission: the alias progress_token is masked by a present progressToken even when null', () => {
  expect(progressTokenOf({ progress_token: 'a' })).toBe('a');
  expect(progressTokenOf({ progress_token: 'a', progressToken: null })).toBeUndefined();
  expect(progressTokenOf({ progress_token: null })).toBeUndefined();
});

test('Job admission: which tools and calls become jobs', () => {
  const call = (meta = {}, more = {}) => ({ meta, internal: false, job: undefined, ...more });
  const host = { source: 'host', execution: undefined } as const;
  const token = { progressToken: 1 };
  const asked = { dcc: { async: true } };
  expect(admits(host, call())).toBe(false);
  expect(admits(host, call(token))).toBe(true);
  expect(admits(host, call(asked))).toBe(true);
  expect(admits(host, call({ dcc: { async: 'true' } }))).toBe(false);
  expect(admits({ source: 'skill', execution: 'async' }, call())).toBe(true);
  expect(admits({ source: 'skill', execution: 'sync' }, call(token))).toBe(false);
  expect(admits({ source: 'skill', execution: 'sync' }, call(asked))).toBe(true);
  for (const source of ['builtin', 'internal'] as const) {
    expect(admits({ source, execution: 'async' }, call({ ...token, ...asked }))).toBe(false);
  }
  const inside = { internal: true };
  expect(admits(host, call(token, inside))).toBe(false);
  expect(admits({ ...host, execution: 'async' }, call({}, inside))).toBe(false);
  expect(admits({ ...host, execution: 'async' }, call({}, { ...inside, job: 'j' }))).toBe(true);
  expect(admits(host, call(asked, inside))).toBe(true);
});

test('Job admission: the answer is a receipt with job_id and the poll descriptor, as text and structured', async () => {
  const { client, publish, ended } = await rig();
  publish(tool('render', async args => ({ rendered: args.frames }), { execution: 'async' }));
  const { result } = await client.call('render', { frames: 3 });
  const receipt = result?.structuredContent ?? {};
  const id = receipt.job_id;
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  expect(receipt).toEqual({
    job_id: id,
    core_job_id: id,
    job_id_owner: 'core',
    status: 'pending',
    parent_job_id: null,
    core_poll: { owner: 'core', tool: 'jobs_get_status', arguments: { job_id: id, include_result: true } },
  });
  expect(JSON.parse(String(result?.content[0]?.text))).toEqual(receipt);
  expect(result?._meta).toMatchObject({ status: 'pending', dcc: { jobId: id, coreJobId: id } });
  expect(await ended(id)).toMatchObject({
    job_id: id,
    tool: 'render',
    status: 'completed',
    error: null,
    result: { structuredContent: { rendered: 3 } },
  });
});

test('Job admission: a timeout hint changes no mode, a token on a sync tool neither, invalid arguments make no job', async () => {
  const { client, publish, changes } = await rig();
  const input_schema = { type: 'object', properties: { n: { type: 'integer' } } };
  publish(
    tool('hinted', () => ({ ok: 1 }), { timeout_hint_secs: 600 }),
    tool('quick', () => ({ ok: 2 }), { execution: 'sync' }),
    tool('strict', () => ({ ok: 3 }), { execution: 'async', input_schema }),
  );
  expect(await client.value('hinted')).toEqual({ ok: 1 });
  expect(await client.value('quick', {}, { progressToken: 7 })).toEqual({ ok: 2 });
  expect((await client.call('strict', { n: 'x' })).error?.code).toBe(-32001);
  expect(
    (await client.call('search_tools', { query: 'x' }, { progressToken: 7 })).result?.structuredContent,
  ).toHaveProperty('tools');
  expect(changes).toEqual([]);
  expect(await client.value('hinted', {}, { progressToken: 'p' })).toMatchObject({ status: 'pending' });
});

test('a tool whose calls may become jobs lists an output schema that its receipts match too', async () => {
  const { app, url, publish } = await rig();
  const output_schema = {
    type: 'object',
    required: ['count'],
    properties: { count: { $ref: '#/$defs/whole' } },
    $defs: { whole: { type: 'integer' } },
  };
  const sync = { output_schema, execution: 'sync' } as const;
  publish(
    tool('long', async () => ({ count: 3 }), { output_schema, execution: 'async' }),
    tool('short', () => ({ count: 3 }), sync),
    tool('rooted', () => ({ count: 3 }), {
      output_schema: { type: 'object', properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } } },
    }),
  );
  const client = new SdkClient({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as never);
  const { tools } = await client.listTools();
  const listed = (name: string) => tools.find(each => each.name === name)?.outputSchema;
  expect(listed('short')).toEqual(output_schema);
  expect(listed('rooted')).toBeUndefined();
  expect(app.kernel.schemas.compile(listed('long') as object as Record<string, unknown>)({ count: 'x' })).toBeDefined();
  // The SDK's client holds structured content against the listed schema and throws when it does not match.
  const { structuredContent } = await client.callTool({ name: 'long', arguments: {} });
  expect(structuredContent).toMatchObject({ status: 'pending' });
  await client.close();
});
