/** Rows of calls: what is made once and remembered is never taken for another's. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nanoseconds } from '../../../plugins/audit/records/row-text.ts';
import { createRows } from '../../../plugins/audit/records/rows.ts';
import { type CallRecord, callRecord, type EndedCall } from '../../../schemas/call-record.ts';
import { accounting } from '../../../schemas/token-accounting.ts';

const rows = createRows({ accounting, toon: String });

const record = (given: Partial<EndedCall>): CallRecord =>
  callRecord({
    ...{ transport: 'mcp', headers: {}, peer: '127.0.0.1', client: undefined, meta: {}, operation: undefined },
    ...{ route: undefined, slug: 's', tool: 't', skill: null, dccType: 'maya', instanceId: 'i', sessionId: 'x' },
    ...{ requestId: '1', traceId: 'f', traceparent: '', parentRequestId: undefined, ok: true, errorKind: undefined },
    ...{ error: undefined, arrived: 1, began: 2, sent: 3, answered: 4, ended: 5, toolMs: 0.5, args: {} },
    ...{ answer: '{}', ...given },
  });

const names = [
  { slug: 'ab', tool: 'c' },
  { slug: 'a', tool: 'bc' },
  { slug: 'a', tool: 'b', skill: 'c' },
  { sessionId: 'undefined' },
  { sessionId: undefined },
  { skill: 'null' },
  { skill: null },
  { dccType: undefined, instanceId: 'mayai' },
  { operation: 'search' },
  { transport: 'rest' },
  { transport: 'rest', route: 'load_skill' },
] as const;

test('where a call went is its own', () => {
  for (let round = 0; round < 2; round += 1) {
    for (const given of names) {
      const fresh = createRows({ accounting, toon: String });
      expect(rows.texts.audit(record(given))).toBe(fresh.texts.audit(record(given)));
      expect(rows.texts.trace(record(given))).toBe(fresh.texts.trace(record(given)));
    }
  }
  expect(new Set(names.map(given => rows.texts.audit(record(given)))).size).toBe(names.length);
});

test('who made a call is told of that call, and its trace belongs to nobody else', () => {
  const of = (agent_id: string, traceparent: string) =>
    rows.trace(record({ meta: { agent_context: { agent_id } }, headers: { traceparent } }));
  const parent = (digit: string) => `00-${'a'.repeat(32)}-${digit.repeat(16)}-01`;
  const told = [of('ada', parent('1')), of('bob', parent('1')), of('ada', parent('2'))];
  expect(told.map(each => each.agent_context)).toEqual([{ agent_id: 'ada' }, { agent_id: 'bob' }, { agent_id: 'ada' }]);
  expect(told.map(each => each.parent_span_id)).toEqual(['1', '1', '2'].map(digit => digit.repeat(16)));
  const agents = ['ada', 'bob', 'ada'].map(agent_id => rows.audit(record({ meta: { agent_context: { agent_id } } })));
  expect(agents.map(each => each.agent_id)).toEqual(['ada', 'bob', 'ada']);
});

test('nanoseconds are the milliseconds, to the last digit that a number has', () => {
  expect(['1795419124056.25', '1.9999999', '7', '0.25'].map(ms => nanoseconds(Number(ms)))).toEqual([
    ...['1795419124056250000', '2000000', '7000000', '250000'],
  ]);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 4e12, noNaN: true }), ms => {
      const ns = JSON.parse(nanoseconds(ms)) as number;
      expect(Math.abs(ns - ms * 1e6)).toBeLessThanOrEqual(1 + Number.EPSILON * ms * 2e6);
    }),
  );
});
