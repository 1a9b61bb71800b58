import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  failedText,
  hostDied,
  messageOfResult,
  originOf,
  receiptOf,
  reportsFailure,
  withOrigin,
} from '../../../plugins/gateway/call-result.ts';
import type { Instance } from '../../../plugins/instances/api.ts';

const origin = { dcc_type: 'maya', instance_id: 'i', instance_short: 's', display_id: 'maya@1-s' };
const text = (value: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

test('_meta.dcc is spliced into a result that has no _meta, and merged into one that has [spec:shape:call]', () => {
  const splice = (result: unknown) => JSON.parse(withOrigin(JSON.stringify(result), JSON.stringify(origin)) ?? 'null');
  expect(splice({})).toEqual({ _meta: { dcc: origin } });
  expect(splice({ content: [] })).toEqual({ content: [], _meta: { dcc: origin } });
  expect(splice({ _meta: { status: 'x', dcc: { jobId: 'j' } }, content: [] })).toEqual({
    content: [],
    _meta: { status: 'x', dcc: { jobId: 'j', ...origin } },
  });
  // The word alone is no member.
  expect(splice(text({ _meta: 1 }))._meta).toEqual({ dcc: origin });
  expect(withOrigin('{ }', '{}')).toBe('{ "_meta":{"dcc":{}}}');
  expect(withOrigin('[1]', '{}')).toBeUndefined();
});

test('splicing keeps every result whole', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), result => {
      const json = JSON.stringify(result);
      const { _meta, ...rest } = JSON.parse(withOrigin(json, JSON.stringify(origin)) ?? 'null');
      const { _meta: __, ...expected } = JSON.parse(json);
      expect(rest).toEqual(expected);
      expect(_meta.dcc).toMatchObject(origin);
    }),
  );
});

test('the version in display_id is unknown where the row has none', () => {
  const instance = { dcc_type: 'maya', instance_id: 'i', instance_short: 'abcd1234', row: {} } as unknown as Instance;
  expect(originOf(instance).display_id).toBe('maya@unknown-abcd1234');
  expect(originOf({ ...instance, row: { version: '2026' } } as Instance).display_id).toBe('maya@2026-abcd1234');
});

const failing = [
  { isError: true },
  { success: false },
  { ok: false },
  { structuredContent: { success: false } },
  { result: { output: { structured_content: { ok: false } } } },
  { results: [{ ok: true }, { ok: false }] },
  text({ success: false }),
  text({ result: text({ ok: false }) }),
];

test.each(failing)('%j reports a failure [spec:shape:call]', result => {
  expect(reportsFailure(result)).toBe(true);
  expect(failedText(JSON.stringify(result))).toBe(true);
});

test.each([
  {},
  { isError: false },
  { success: true },
  { data: { ok: false } },
  { content: [{ type: 'text', text: 'success is false' }] },
  { content: [{ type: 'text', text: '{"broken": ' }] },
  { result: { result: { result: { result: { result: { ok: false } } } } } },
])('%j reports none [spec:shape:call]', result => {
  expect(reportsFailure(result)).toBe(false);
  expect(failedText(JSON.stringify(result))).toBe(false);
});

test('the cheap look never misses what the thorough one finds', () => {
  const leaf = fc.oneof(fc.constant(true), fc.constant(false), fc.string(), fc.integer());
  const key = fc.constantFrom('isError', 'success', 'ok', 'result', 'output', 'structuredContent', 'results', 'x');
  const { value } = fc.letrec(tie => ({
    value: fc.oneof({ maxDepth: 5 }, leaf, fc.dictionary(key, tie('value')), fc.array(tie('value'), { maxLength: 2 })),
  }));
  const wrapped = fc.oneof(
    value,
    value.map(text),
    value.map(each => text(text(each))),
  );
  fc.assert(fc.property(wrapped, each => failedText(JSON.stringify(each)) === reportsFailure(each)));
});

test('a receipt is told by its job id and its status', () => {
  const receipt = { job_id: 'j1', status: 'pending' };
  expect(receiptOf(JSON.stringify({ structuredContent: receipt }))).toMatchObject({ job_id: 'j1', receipt });
  expect(receiptOf(JSON.stringify(text(receipt)))).toMatchObject({ job_id: 'j1' });
  expect(receiptOf(JSON.stringify(text({ job_id: 'j1', status: 'running', note: 'pending' })))).toBeUndefined();
  expect(receiptOf(JSON.stringify(text('a pending job_id')))).toBeUndefined();
});

test('the death of a host is believed from a failed result only', () => {
  const told = { isError: true, structuredContent: { kind: 'host-died', message: 'it crashed' }, content: [] };
  expect(hostDied(JSON.stringify(told))).toBe('it crashed');
  expect(
    hostDied(JSON.stringify({ isError: true, structuredContent: { error: { kind: 'host-died', message: 'm' } } })),
  ).toBe('m');
  expect(hostDied(JSON.stringify({ ...told, isError: false }))).toBeUndefined();
  expect(hostDied(JSON.stringify({ isError: true, ...text({ note: 'host-died' }) }))).toBeUndefined();
});

test('a failed result says why in one text', () => {
  expect(messageOfResult({ structuredContent: { message: 'why' } })).toBe('why');
  expect(messageOfResult(text({ error: 'because' }))).toBe('because');
  expect(messageOfResult({ content: [{ type: 'text', text: 'plain' }] })).toBe('plain');
  expect(messageOfResult({})).toBe('the tool reported a failure');
});
