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
  expect(admits(host, call())).toBe(false);
  expect(admits(host, call(token))).toBe(true);
  expect(admits(host, call(asked))).toBe(true);
  expect(admits(host, call({ progressToken: Number.NaN }))).toBe(false);
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
