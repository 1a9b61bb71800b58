import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorTable } from '../../../kernel/index.ts';
import { type Answer, initialize, type Json, mcpServer, request } from './wire.ts';

const numbers = new Set([...errorTable.values()].map(each => each.rpc));
const statuses = new Set([200, 202, ...[...errorTable.values()].map(each => each.http)]);

/** Every answer is a result, an error of the table, or an empty 202. */
function expectOfTheTable({ status, text, json }: Answer): void {
  expect(statuses).toContain(status);
  if (status === 202) {
    expect(text).toBe('');
    return;
  }
  for (const each of (Array.isArray(json) ? json : [json]) as Json[]) {
    expect(each.jsonrpc).toBe('2.0');
    if (each.result !== undefined) continue;
    const { code, message, data } = each.error as { code: number; message: string; data: { code: string } };
    expect(numbers).toContain(code);
    expect(message).not.toBe('');
    expect(errorTable.has(data.code)).toBe(true);
  }
}

const methods = fc.constantFrom(
  'ping',
  'logging/setLevel',
  'completion/complete',
  'notifications/cancelled',
  'test/echo',
  'test/progress',
  'x',
);
const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double(), fc.jsonValue());
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 5, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: fc.jsonValue() }),
    id,
    method: fc.oneof({ weight: 5, arbitrary: methods }, { weight: 1, arbitrary: fc.jsonValue() }),
    params: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
    result: fc.jsonValue(),
    error: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

test('any JSON gets an answer of the table and leaves the session as it was', async () => {
  const { app, post, open } = await mcpServer();
  const { session } = await open('2025-03-26');
  const body = fc.oneof(message, fc.array(message, { maxLength: 5 }), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(body, fc.boolean(), async (value, within) => {
      expectOfTheTable(await post(JSON.stringify(value), within ? session : {}));
      expect(app.mcp.sessions.size).toBe(1);
    }),
    { numRuns: 400 },
  );
  const inner = app.mcp.sessions.list()[0] as unknown as { calls: Map<unknown, unknown>; busy: boolean };
  expect([inner.calls.size, inner.busy]).toEqual([0, false]);
});

test('any initialize answers a session or an error, and an error makes none', async () => {
  const { app, url, post } = await mcpServer();
  const params = fc.record(
    { protocolVersion: fc.jsonValue(), clientInfo: fc.jsonValue(), capabilities: fc.jsonValue() },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(params, id, async (given, withId) => {
      const answer = await post({ ...initialize('x'), id: withId, params: given });
      expectOfTheTable(answer);
      const made = answer.headers.get('mcp-session-id');
      expect(app.mcp.sessions.size).toBe(answer.json.result === undefined ? 0 : 1);
      expect(made === null).toBe(answer.json.result === undefined);
      if (made !== null) await request(url, 'DELETE', undefined, { 'mcp-session-id': made });
    }),
    { numRuns: 150 },
  );
});

test('any bytes get an answer of the table', async () => {
  const { app, url, open } = await mcpServer();
  const { session } = await open();
  const prefix = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"test/echo","params":{"a":"');
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.uint8Array({ maxLength: 60 }).map(each => Uint8Array.from(Buffer.concat([prefix, each, Buffer.from('"}}')]))),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async body => {
      expectOfTheTable(await request(url, 'POST', body, session));
      expect(app.mcp.sessions.size).toBe(1);
    }),
    { numRuns: 300 },
  );
});

test('any headers get an answer of the table', async () => {
  const { app, url, post, open } = await mcpServer();
  const { session } = await open();
  const value = fc.string({ maxLength: 40, unit: 'grapheme-ascii' }).map(each => each.trim());
  const names = fc.constantFrom('accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version', 'last-event-id');
  await fc.assert(
    fc.asyncProperty(fc.dictionary(names, value), fc.constantFrom('POST', 'DELETE'), async (headers, method) => {
      expectOfTheTable(
        method === 'POST'
          ? await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { ...session, ...headers })
          : await request(url, method, undefined, { 'mcp-session-id': 'nobody', ...headers }),
      );
      expect(app.mcp.sessions.size).toBe(1);
    }),
    { numRuns: 200 },
  );
});
