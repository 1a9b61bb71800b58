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

test('output_schema of a skill may describe what the envelope carries, as the public packages do', async () => {
  const { app, call, refused } = await rig();
  const output_schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
  let value: unknown;
  for (const source of ['skill', 'host'] as const) {
    app.tools.publish(source, [tool(`of_${source}`, { output_schema }, () => value)], { source });
  }
  const envelope = { success: true, message: 'made', context: { n: 1 } };
  for (value of [envelope, sent(envelope, 'object')]) {
    const { result } = await call('of_skill');
    expect(result).toEqual({
      content: [{ type: 'text', text: JSON.stringify(envelope) }],
      structuredContent: { n: 1 },
    });
    expect((await refused('of_host')).error?.message).toContain('"n" is required');
  }
  const strict = { type: 'object', required: ['success'], properties: { error: { type: 'string' }, prompt: {} } };
  app.tools.publish('strict', [tool('strict', { output_schema: strict }, () => value)], { source: 'skill' });
  value = { ...envelope, prompt: null, error: null };
  expect((await call('strict')).result).toEqual({
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: envelope,
  });
  value = { ...envelope, context: { n: 'x' } };
  expect((await refused('of_skill')).error?.message).toContain('"n" is required');
});

test('structuredContent follows the revision of the request', async () => {
  const { call } = await rig();
  expect((await call('list_roots', {}, { protocolVersion: '2025-03-26' })).result).not.toHaveProperty(
    'structuredContent',
  );
  expect((await call('list_roots', {}, { protocolVersion: '2025-06-18' })).result).toHaveProperty('structuredContent');
});

test('max_result_bytes: a result is as long as its JSON; a longer one fails its call and says what to do', async () => {
  const { app, call, refused } = await rig({ max_result_bytes: 2048 });
  const output_schema = { type: 'object' };
  let value: unknown;
  app.tools.publish('h', [tool('t', {}, () => value), tool('typed', { output_schema }, () => value)], {
    source: 'host',
  });
  const largest = { a: 'é'.repeat(1020) };
  expect(Buffer.byteLength(JSON.stringify(largest))).toBe(2048);
  value = largest;
  // Text and structured content together are more than that: the limit is of what the tool returned.
  expect((await call('typed')).result?.structuredContent).toEqual(largest);
  value = 'é'.repeat(1024);
  expect((await call('t')).result?.isError).toBeUndefined();

  const message =
    'The result of tool "t" is at least 2049 bytes long, at most 2048 are taken (max_result_bytes): write it to a file and ' +
    'return its path, return it in parts, or raise max_result_bytes in the settings of the server';
  const tooLarge = [`${'é'.repeat(1024)}x`, { a: `${'é'.repeat(1020)}x` }, ['x'.repeat(2045)], sent('', 'large')];
  for (value of tooLarge) {
    if (value === tooLarge[3]) value = { ...sent('', 'large'), json: '2049' };
    const { result } = await call('t');
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: message }] });
    expect((await refused('t')).error).toMatchObject({
      code: -32002,
      message,
      data: { code: 'SVC_TOOLS_RESULT_TOO_LARGE' },
    });
    await expect(app.tools.call({ name: 't', args: {} })).rejects.toMatchObject({ message });
  }
  value = { content: [{ type: 'image', data: 'A'.repeat(3000), mimeType: 'image/png' }] };
  expect((await call('t')).result?.content).toMatchObject([
    { text: expect.stringMatching(/is at least 30\d\d bytes long/) },
  ]);
  value = { svcToolText: true, json: '9999', kind: 'large', success: undefined };
  expect((await call('typed')).result?.content).toMatchObject([
    { text: expect.stringContaining('is at least 9999 bytes') },
  ]);
});
