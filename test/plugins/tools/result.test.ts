import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ToolText } from '../../../plugins/tools/api.ts';
import { encodeToolResult, reportsSuccess, toToolResult } from '../../../plugins/tools/result.ts';
import { rig, tool } from './support.ts';

const encoded = (value: unknown, structured = true) => JSON.parse(encodeToolResult(value, structured));
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
/** What a skill worker makes of a value. */
const sent = (value: unknown, kind: ToolText['kind']): ToolText => ({
  svcToolText: true,
  json: JSON.stringify(value ?? null),
  kind,
  success: (value as { success?: boolean } | null)?.success,
});

test('content blocks go as they are', () => {
  const value = { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }], isError: true, _meta: { a: 1 } };
  expect(encoded(value)).toEqual(value);
  expect(encoded({ content: ['not a block'] })).toHaveProperty('structuredContent');
});

test('an object becomes text and structuredContent (from 2025-06-18), isError when success is false [spec:shape:result]', () => {
  const value = { a: 1, nested: { b: 'ü"\n' } };
  expect(encoded(value)).toEqual({ ...text(JSON.stringify(value)), structuredContent: value });
  expect(encoded(value, false)).toEqual(text(JSON.stringify(value)));
  expect(encoded({ success: false, error: 'x' })).toMatchObject({ isError: true, structuredContent: { error: 'x' } });
  expect(encoded({ success: true })).not.toHaveProperty('isError');
});

test('text, nothing and other values', () => {
  expect(encoded('hi "you"')).toEqual(text('hi "you"'));
  const empty = { success: true, message: '' };
  for (const value of [undefined, null]) {
    expect(encoded(value)).toEqual({ ...text(JSON.stringify(empty)), structuredContent: empty });
  }
  expect(encoded([1, 2])).toEqual(text('[1,2]'));
  expect(encoded(5)).toEqual(text('5'));
  expect(encoded(false)).toEqual(text('false'));
  expect(encoded(new Date(0))).toEqual(text('"1970-01-01T00:00:00.000Z"'));
  expect(() => encodeToolResult(() => 1, true)).toThrow(/no JSON form \(it is a function\)/);
});

test('property: a value stringified by a worker gives the same result as the value itself', () => {
  const kinds: [ToolText['kind'], fc.Arbitrary<unknown>][] = [
    ['object', fc.dictionary(fc.string(), fc.jsonValue()).map(each => ({ ...each, content: undefined, k: 1 }))],
    ['text', fc.string({ unit: 'binary' })],
    ['other', fc.oneof(fc.array(fc.jsonValue()), fc.integer(), fc.boolean(), fc.constant(null))],
    ['content', fc.record({ content: fc.array(fc.record({ type: fc.constant('text'), text: fc.string() })) })],
  ];
  for (const [kind, values] of kinds) {
    fc.assert(
      fc.property(values, fc.boolean(), (value, structured) => {
        const direct = encodeToolResult(value, structured);
        expect(JSON.parse(encodeToolResult(sent(value, kind), structured))).toEqual(JSON.parse(direct));
        expect(toToolResult(value, structured)).toEqual(JSON.parse(direct));
        expect(reportsSuccess(sent(value, kind))).toBe(reportsSuccess(value));
      }),
    );
  }
});

test('output_schema: structured results are held against it, a mismatch is -32002 naming the field', async () => {
  const { app, call, refused } = await rig();
  const output_schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
  let value: unknown;
  app.tools.publish('h', [tool('t', { output_schema }, () => value)], { source: 'host' });
  const answer = async (next: unknown) => {
    value = next;
    return refused('t');
  };
  value = { n: 1 };
  expect((await call('t')).result?.structuredContent).toEqual({ n: 1 });
  const { error } = await answer({ n: 'x' });
  expect(error).toMatchObject({ code: -32002, data: { code: 'SVC_TOOLS_FAILED' } });
  expect(error?.message).toContain('"n" must be integer');
  expect((await answer(sent({ n: 1 }, 'object'))).error).toBeUndefined();
  expect((await answer(sent({ n: 'x' }, 'object'))).error?.message).toContain('"n" must be integer');
  expect((await answer({ content: [], structuredContent: { n: 'x' } })).error?.message).toContain('"n"');
  expect((await answer('text')).error?.message).toContain('declares an output_schema but returned no object');
  expect((await answer(sent('text', 'text'))).error?.code).toBe(-32002);
  // A tool that reports its own failure does not have to look like a success.
  expect((await answer({ success: false, error: 'gone' })).result?.isError).toBe(true);
});

test('structuredContent follows the revision of the request', async () => {
  const { call } = await rig();
  expect((await call('list_roots', {}, { protocolVersion: '2025-03-26' })).result).not.toHaveProperty(
    'structuredContent',
  );
  expect((await call('list_roots', {}, { protocolVersion: '2025-06-18' })).result).toHaveProperty('structuredContent');
});
