/** A call has the same rows in memory and beyond the way to the thread that writes them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packRecord, unpackRecords } from '../../../plugins/audit/records/packed.ts';
import { createRows } from '../../../plugins/audit/records/rows.ts';
import { callRecord, type EndedCall } from '../../../schemas/call-record.ts';
import { TapeWriter, transferOf } from '../../../schemas/tape.ts';
import { accounting } from '../../../schemas/token-accounting.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('Bearer abcdefgh12345678', 'password=hunter2', 'sk-abcdefghijklmnop1234', 'C:\\x', '{"a":1}'),
);
const maybe = fc.option(text, { nil: undefined });
const moment = fc.double({ min: 0, max: 1e7, noNaN: true });
const key = fc.oneof(fc.constantFrom('api_key', 'password', 'x', 'token', 'auth', '10', '2'), text);
const { json } = fc.letrec(tie => ({
  json: fc.oneof(
    { maxDepth: 4 },
    ...[text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)],
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(key, tie('json'), { maxKeys: 5 }),
  ),
}));
const object = fc.dictionary(key, json, { maxKeys: 6 });
const usage = fc.record({ prompt_tokens: fc.nat() });
const meta = fc.oneof(fc.constant({}), fc.record({ agent_context: object, llm_usage: usage, traceparent: text }));
const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const call: fc.Arbitrary<EndedCall> = fc.record({
  transport: fc.constantFrom('mcp', 'rest'),
  headers: fc.dictionary(fc.constantFrom('traceparent', 'tracestate', 'user-agent', 'x-svc-agent-id', 'accept'), text),
  peer: fc.option(fc.ipV4(), { nil: undefined }),
  client: fc.option(fc.record({ name: text, version: text }), { nil: undefined }),
  meta,
  operation: fc.constantFrom(undefined, 'search', 'describe'),
  route: fc.constantFrom(undefined, 'load_skill'),
  ...{ slug: text, tool: text, skill: fc.option(text), dccType: maybe, instanceId: maybe, sessionId: maybe },
  ...{ requestId: text, traceId: text, traceparent: fc.constantFrom('', trace), parentRequestId: maybe },
  ...{ ok: fc.boolean(), errorKind: maybe, error: maybe },
  ...{ arrived: moment, began: moment, sent: moment, answered: moment, ended: moment },
  toolMs: fc.option(moment, { nil: undefined }),
  args: fc.oneof(object, fc.constant(undefined), fc.array(json, { maxLength: 100 })),
  answer: fc.option(
    fc.oneof(
      json.map(each => JSON.stringify(each)),
      fc.constant('"long '.repeat(2000)),
    ),
    {
      nil: undefined,
    },
  ),
});

test('rows of a record that was packed are those of the record, to the letter', () => {
  const tape = new TapeWriter();
  const rows = createRows({ accounting, toon: String });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 4 }), calls => {
      const records = calls.map(callRecord);
      for (const each of records) packRecord(each, tape);
      const taken = tape.take();
      const there = structuredClone(taken, { transfer: transferOf(taken) });
      const written = [...unpackRecords(there)].map(each => [rows.texts.audit(each), rows.texts.trace(each)]);
      expect(written).toEqual(records.map(each => [rows.texts.audit(each), rows.texts.trace(each)]));
      tape.reuse(there);
    }),
    { numRuns: 500 },
  );
});

test('a record that is no JSON is refused, and leaves nothing on the tape', () => {
  const tape = new TapeWriter();
  const [sample] = fc.sample(call, 1);
  if (!sample) throw new Error('no sample');
  expect(() => packRecord({ ...callRecord(sample), args: 1n }, tape)).toThrow(/BigInt/);
  expect(tape.take().count).toBe(0);
});
