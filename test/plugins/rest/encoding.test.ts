import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { compact, compactRecord } from '../../../plugins/rest/compact.ts';
import { encodeAnswer, loadToon } from '../../../plugins/rest/encoding.ts';
import { acceptedFormat, namedFormat } from '../../../plugins/rest/format.ts';

beforeAll(loadToon);

test.each([
  [{ response_format: 'json' }, 'json'],
  [{ responseFormat: 'legacy-json' }, 'json'],
  [{ format: 'legacy_json' }, 'json'],
  [{ output_format: 'Application/JSON' }, 'json'],
  [{ response_format: 'toon' }, 'toon'],
  [{ response_format: 'compact' }, 'toon'],
  [{ response_format: 'text/toon' }, 'toon'],
  [{ response_format: 'application/x-toon' }, 'toon'],
  [{ compact: true }, 'toon'],
  [{ response_format: 'json', compact: true }, 'json'],
  [{ response_format: 'yaml', format: 'json' }, 'json'],
  [{ response_format: 'yaml' }, undefined],
  [{ response_format: '__proto__' }, undefined],
  [{ compact: 'yes' }, undefined],
  [{}, undefined],
  [null, undefined],
  ['text', undefined],
])('the body %j asks for %s [spec:shape:encoding]', (body, format) => {
  expect(namedFormat(body)).toBe(format);
});

test.each([
  ['application/json', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['text/html, application/json;q=0.1, application/toon', 'json'],
  ['text/toon, application/json', 'toon'],
  ['*/*', undefined],
  ['application/*', undefined],
  ['constructor', undefined],
  ['', undefined],
  [undefined, undefined],
])('Accept %s asks for %s [spec:shape:encoding]', (accept, format) => {
  expect(acceptedFormat(accept)).toBe(format);
});

const hit = {
  tool_slug: 'maya.abcdef01.bevel',
  backend_tool: 'bevel',
  callable_id: 'bevel',
  skill_name: null,
  summary: 'Bevels edges.',
  tags: [],
  dcc_type: 'maya',
  instance_id: 'abcdef01-0000-4000-8000-000000000000',
  has_schema: true,
  loaded: true,
  load_state: 'loaded',
  callable: true,
  annotations: { readOnlyHint: false },
  metadata: {},
  rank: 1,
  score: 900,
  match_reasons: ['tool_lexical'],
  next_step: { action: 'describe' },
};

test('a compact record keeps what a caller needs, and nothing empty [spec:shape:encoding]', () => {
  expect(compactRecord(hit)).toEqual({
    tool_slug: 'maya.abcdef01.bevel',
    backend_tool: 'bevel',
    summary: 'Bevels edges.',
    dcc_type: 'maya',
    instance_id: 'abcdef01-0000-4000-8000-000000000000',
    has_schema: true,
    loaded: true,
    load_state: 'loaded',
    callable: true,
    rank: 1,
    score: 900,
    next_step: { action: 'describe' },
  });
  expect(compactRecord({ ...hit, callable_id: 'model__bevel' })).toHaveProperty('callable_id', 'model__bevel');
});

test('a compact description and a compact batch [spec:shape:encoding]', () => {
  const bytes = (): [number, number] => [100, 60];
  const described = {
    request_id: 'r',
    trace_id: 't',
    index_generation: 'g',
    record: hit,
    tool: { name: 'bevel' },
    extra: 1,
  };
  expect(compact(described, 'describe', bytes)).toEqual({
    request_id: 'r',
    trace_id: 't',
    index_generation: 'g',
    record: compactRecord(hit),
    tool: { name: 'bevel' },
  });
  const batch = { success: true, results: [{ index: 0, ok: true }] };
  expect(compact(batch, 'batch', bytes)).toMatchObject({
    success: true,
    results: [
      { index: 0, ok: true, token_accounting: { original_tokens: 25, returned_tokens: 15, savings_pct: '40.00' } },
    ],
  });
});

test('an answer as JSON is the text itself, as TOON its compact form; both are accounted for', () => {
  const value = { total: 1, hits: [hit] };
  const json = encodeAnswer({ value }, 'json', 'search');
  expect(json).toMatchObject({ contentType: 'application/json', format: 'json', text: JSON.stringify(value) });
  expect(json.accounting).toMatchObject({ saved_tokens: 0, savings_pct: '0.00' });
  const toon = encodeAnswer({ value }, 'toon', 'search');
  expect(toon).toMatchObject({ contentType: 'application/toon', format: 'toon' });
  expect(decode(toon.text)).toEqual({ total: 1, hits: [compactRecord(hit)] });
  expect(toon.accounting.original_bytes).toBe(Buffer.byteLength(json.text));
  expect(toon.accounting.returned_bytes).toBe(Buffer.byteLength(toon.text));
  expect(toon.accounting.saved_tokens).toBeGreaterThan(0);
  expect(encodeAnswer({ json: '{"a":[1,2]}' }, 'toon', 'none').text).toBe('a[2]: 1,2');
});

test('every JSON value survives TOON', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), value => {
      const json = JSON.stringify(value);
      const back = decode(encodeAnswer({ json }, 'toon', 'none').text);
      expect(JSON.stringify(back)).toBe(json);
    }),
    { numRuns: 200 },
  );
});

test('what has no form is refused', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  expect(() => encodeAnswer({ value: circle }, 'json', 'none')).toThrow(
    expect.objectContaining({ code: 'SVC_REST_ENCODING' }),
  );
});
