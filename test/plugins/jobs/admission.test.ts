import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { admits } from '../../../plugins/jobs/admission.ts';
import { rig, tool } from './support.ts';

test('Job admission: which tools and calls become jobs', () => {
  const call = (meta = {}, more = {}) => ({ meta, internal: false, job: undefined, ...more });
  const host = { source: 'host', execution: undefined } as const;
  const token = { progressToken: 1 };
  const asked = { dcc: { async: true } };
  expect(admits(host, call())).toBe(undefined);
  expect(admits(host, call(token))).toBe('receipt');
  expect(admits(host, call(asked))).toBe('receipt');
  expect(admits(host, call({ progressToken: Number.NaN }))).toBe(undefined);
  expect(admits(host, call({ dcc: { async: 'true' } }))).toBe(undefined);
  expect(admits({ source: 'skill', execution: 'async' }, call())).toBe('receipt');
  // The specification knows no exception; it is what REST goes by.
  const sync = { source: 'skill', execution: 'sync' } as const;
  expect(admits(sync, call(token))).toBe('receipt');
  const by = (protocolVersion: string) => call(token, { rpc: { protocolVersion } });
  expect([host, sync].map(each => admits(each, by('2025-03-26')))).toEqual(['receipt', 'receipt']);
  for (const revision of ['2025-06-18', '2025-11-25']) {
    expect([host, sync].map(each => admits(each, by(revision)))).toEqual(['end', undefined]);
    expect(admits({ ...host, execution: 'async' }, by(revision))).toBe('receipt');
  }
  expect([host, sync].map(each => admits(each, by('2026-07-28')))).toEqual([undefined, undefined]);
  expect(admits({ source: 'skill', execution: 'sync' }, call(asked))).toBe('receipt');
  for (const source of ['builtin', 'internal'] as const) {
    expect(admits({ source, execution: 'async' }, call({ ...token, ...asked }))).toBe(undefined);
  }
  const inside = { internal: true };
  expect(admits(host, call(token, inside))).toBe(undefined);
  expect(admits({ ...host, execution: 'async' }, call({}, inside))).toBe(undefined);
  expect(admits({ ...host, execution: 'async' }, call({}, { ...inside, job: 'j' }))).toBe('receipt');
  expect(admits(host, call(asked, inside))).toBe('receipt');
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
  expect((await client.call('strict', { n: 'x' })).result).toMatchObject({
    isError: true,
    _meta: { dcc: { error: { code: 'SVC_TOOLS_INVALID_ARGUMENTS', number: -32001 } } },
  });
  expect(
    (await client.call('search_tools', { query: 'x' }, { progressToken: 7 })).result?.structuredContent,
  ).toHaveProperty('tools');
  expect(changes).toEqual([]);
  const waited = await client.call('hinted', {}, { progressToken: 'p' });
  expect(waited.result).toMatchObject({ structuredContent: { ok: 1 }, _meta: { dcc: { jobId: expect.any(String) } } });
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
