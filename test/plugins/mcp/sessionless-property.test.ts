import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorTable } from '../../../kernel/index.ts';
import { capabilities, envelope, headersOf, modern, sessionlessServer } from './sessionless-wire.ts';
import { type Answer, call, type Json } from './wire.ts';

const rows = [...errorTable.values()];
const numbers = new Set(rows.flatMap(({ rpc, session, sessionless }) => [rpc, session, sessionless]));

/** Every answer is a whole result, an error of the table, or an empty 202; never a session. */
function expectOfTheTable({ status, text, json, headers }: Answer): void {
  expect(headers.get('mcp-session-id')).toBeNull();
  if (status === 202) {
    expect(text).toBe('');
    return;
  }
  expect(json.jsonrpc).toBe('2.0');
  if (json.result !== undefined) {
    expect(['complete', 'input_required']).toContain((json.result as Json).resultType);
    return;
  }
  const { code, message, data } = json.error as { code: number; message: string; data: { code: string } };
  expect(numbers).toContain(code);
  expect(message).not.toBe('');
  expect(errorTable.has(data.code)).toBe(true);
}

const methods = ['test/echo', 'test/progress', 'server/discover', 'tools/call', 'initialize', 'ping', 'x'];
const method = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...methods) }, { weight: 1, arbitrary: fc.string() });

test('any envelope and any headers get an answer of the table', async () => {
  const { app, post } = await sessionlessServer();
  const keys = Object.keys(envelope());
  const meta = fc
    .tuple(fc.subarray(keys), fc.dictionary(fc.constantFrom(...keys, 'progressToken', 'x'), fc.jsonValue()))
    .map(([kept, own]) => ({ ...Object.fromEntries(kept.map(each => [each, envelope()[each]])), ...own }));
  const names = fc.constantFrom('mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id', 'accept');
  const value = fc.string({ maxLength: 40, unit: 'grapheme-ascii' }).map(each => each.trim());
  await fc.assert(
    fc.asyncProperty(method, meta, fc.dictionary(names, value), async (named, _meta, headers) => {
      const { 'mcp-protocol-version': version = '2026-07-28', ...own } = headers;
      const message = call(1, named, { _meta });
      // Without a version in the header a message without an envelope is one of a session.
      const sent = { ...headersOf(message), ...own, 'mcp-protocol-version': version || '2026-07-28' };
      const answer = await post(message, sent);
      if (answer.headers.get('mcp-session-id') === null) expectOfTheTable(answer);
      else expect(named).toBe('initialize');
    }),
    { numRuns: 300 },
  );
  expect(app.mcp.sessions.list().every(each => each.protocolVersion === '2025-03-26')).toBe(true);
});

test('any answer to a question is taken, asked for again or refused, and the handler runs once a call', async () => {
  const { send, runs } = await sessionlessServer();
  const params = fc.record(
    { name: fc.constantFrom('one', 'two', 'rounds'), inputResponses: fc.jsonValue(), requestState: fc.jsonValue() },
    { requiredKeys: ['name'] },
  );
  const forms = capabilities({ elicitation: {}, roots: {} });
  await fc.assert(
    fc.asyncProperty(params, fc.jsonValue(), async (first, response) => {
      const asked = await send(modern(1, 'tools/call', first as Json, forms));
      expectOfTheTable(asked);
      const { requestState } = (asked.json.result ?? {}) as Json;
      if (requestState === undefined) return;
      const before = runs.length;
      for (const inputResponses of [response, { user_name: response, elicitation: response, step: response }]) {
        expectOfTheTable(
          await send(modern(2, 'tools/call', { ...first, requestState, inputResponses } as Json, forms)),
        );
      }
      expect(runs).toHaveLength(before);
    }),
    { numRuns: 100 },
  );
});
