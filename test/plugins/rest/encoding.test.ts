import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { CompactForm } from '../../../plugins/rest/api.ts';
import { compact } from '../../../plugins/rest/compact.ts';
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

const form = (kind: CompactForm['kind'], asked: object = {}): CompactForm => ({ kind, door: 'rest', asked });
const bytes = (): [number, number] => [100, 60];
const row = { tool_slug: 'maya.abcdef01.bevel', summary: 'Bevels edges.', next_step: 'describe' };

test('a compact search is a table: what a caller chooses by and what comes next [spec:shape:encoding]', () => {
  const answer = { total: 1, hits: [hit], hint: 'Few.', search_id: 's', request_id: 'r', semantic: { active: false } };
  const how = 'POST the tool_slug of the row to /v1/<next_step>';
  expect(compact(answer, form('search'), bytes)).toEqual({ total: 1, hits: [row], hint: 'Few.', how });
  expect(compact(answer, form('search', { fields: ['score', 'risk', 'search_id'] }), bytes)).toEqual({
    ...{ total: 1, hint: 'Few.', how, search_id: 's' },
    hits: [{ ...row, score: 900 }],
  });
  expect(compact(answer, form('search', { fields: 'score,tags' }), bytes)).toMatchObject({
    hits: [{ ...row, score: 900, tags: [] }],
  });
  expect(compact(answer, form('search', { verbose: true }), bytes)).toBe(answer);
});

test('the same tool of several instances names them, and where which scene is open', () => {
  const instances = ['abcdef01', 'abcdef02', '3', '4', '5', '6'];
  const answer = {
    hits: [
      { ...hit, instances },
      { ...hit, tool_slug: 'maya.abcdef01.other', instances: ['abcdef01'] },
    ],
    instances: [
      { instance_short: 'abcdef01', scene: null },
      { instance_short: 'abcdef02', scene: '/a.ma' },
    ],
  };
  expect(compact(answer, { ...form('search'), door: 'mcp' }, bytes)).toEqual({
    hits: [
      { ...row, instances: 'abcdef01 abcdef02 3 4 5 +1' },
      { ...row, tool_slug: 'maya.abcdef01.other', instances: '' },
    ],
    how:
      'send the tool_slug of the row to the tool that next_step names; ' +
      'instances have the same tool: their ids stand for the one in its slug',
    instances: [{ id: 'abcdef02', scene: '/a.ma' }],
  });
});

test('a compact description and a compact batch [spec:shape:encoding]', () => {
  const described = {
    request_id: 'r',
    record: hit,
    tool: {
      name: 'bevel',
      description: 'Bevels edges, all of them.',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: false, idempotentHint: true, openWorldHint: true, title: 'Bevel' },
      _meta: { dcc: { execution: 'async' } },
    },
  };
  const short = {
    tool_slug: 'maya.abcdef01.bevel',
    description: 'Bevels edges, all of them.',
    traits: ['idempotent', 'open-world', 'async'],
    input_schema: { type: 'object' },
    next_step: 'call',
  };
  expect(compact(described, form('describe'), bytes)).toEqual(short);
  expect(compact(described, form('describe', { fields: ['rank', 'name', 'nothing'] }), bytes)).toEqual({
    ...{ ...short, rank: 1, name: 'bevel' },
  });
  const unloaded = { ...described, record: { ...hit, loaded: false, callable: false } };
  expect(compact(unloaded, form('describe'), bytes)).toMatchObject({ next_step: 'load_skill' });
  const batch = { success: true, results: [{ index: 0, ok: true }] };
  expect(compact(batch, form('batch'), bytes)).toMatchObject({
    success: true,
    results: [
      { index: 0, ok: true, token_accounting: { original_tokens: 25, returned_tokens: 15, savings_pct: '40.00' } },
    ],
  });
});

test('a compact load says what was loaded; for a tool that it was for, all that its call needs', () => {
  const step = { action: 'describe', arguments: { tool_slug: 'maya.abcdef01.bevel', meta: { search_id: 's' } } };
  const answer = {
    ...{ loaded: true, partial: false, skill_name: 'model', instance_id: 'i', tools: [{ name: 'bevel' }] },
    ...{ new_tool_slugs: ['maya.abcdef01.bevel', 'maya.abcdef01.cut'], activated_groups: [], next_step: step },
  };
  expect(compact(answer, form('load'), bytes)).toEqual({
    ...{ loaded: true, skill_name: 'model', new_tool_slugs: answer.new_tool_slugs },
    next_step: { 'POST /v1/describe': { tool_slug: 'maya.abcdef01.bevel' } },
  });
  const asked = { tool_slug: 'maya.abcdef01.bevel' };
  const head = { loaded: true, skill_name: 'model', new_tools: 2, ...asked };
  expect(compact(answer, form('load', asked), bytes)).toEqual({ ...head, next_step: 'describe' });
  const known = { compact_schema: { ...asked, complete_for_call: true }, input_schema: { type: 'object' } };
  expect(compact({ ...answer, ...known }, form('load', asked), bytes)).toEqual({
    ...{ ...head, input_schema: { type: 'object' }, next_step: 'call' },
  });
});

test('a compact failure keeps what a caller acts on', () => {
  const error = {
    ...{ kind: 'skill-not-loaded', message: 'a.b.c is not loaded', candidates: ['a.b.c', 'x.y.z'], retryable: null },
    ...{ previous_status: null, recommended_next_action: 'Send it.', code: 'SVC_X', backend: { code: 1 } },
  };
  expect(compact({ error }, form('failure'), bytes)).toEqual({
    error: {
      ...{ kind: 'skill-not-loaded', message: 'a.b.c is not loaded', candidates: ['x.y.z'] },
      recommended_next_action: 'Send it.',
    },
  });
  const next_step = { action: 'load_skill', arguments: { skill_name: 's', target_tool_slug: 'a.b.c', meta: {} } };
  expect(compact({ error: { ...error, next_step } }, { ...form('failure'), door: 'mcp' }, bytes)).toMatchObject({
    error: { next_step: { load_skill: { tool_slug: 'a.b.c' } } },
  });
  expect(compact({ error }, form('failure', { fields: ['code'] }), bytes)).toMatchObject({ error: { code: 'SVC_X' } });
  const flat = { kind: 'unknown-slug', message: 'No.' };
  expect(compact(flat, form('failure'), bytes)).toBe(flat);
});

test('an answer as JSON is the text itself, as TOON its compact form; both are accounted for', () => {
  const value = { total: 1, hits: [hit] };
  const json = encodeAnswer({ value }, 'json', form('search'));
  expect(json).toMatchObject({ contentType: 'application/json', format: 'json', text: JSON.stringify(value) });
  expect(json.accounting).toMatchObject({ saved_tokens: 0, savings_pct: '0.00' });
  const toon = encodeAnswer({ value }, 'toon', form('search'));
  expect(toon).toMatchObject({ contentType: 'application/toon', format: 'toon' });
  expect(decode(toon.text)).toMatchObject({ total: 1, hits: [row] });
  expect(toon.accounting.original_bytes).toBe(Buffer.byteLength(json.text));
  expect(toon.accounting.returned_bytes).toBe(Buffer.byteLength(toon.text));
  expect(toon.accounting.saved_tokens).toBeGreaterThan(0);
  expect(encodeAnswer({ json: '{"a":[1,2]}' }, 'toon', form('none')).text).toBe('a[2]: 1,2');
});

test('every JSON value survives TOON', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), value => {
      const json = JSON.stringify(value);
      const back = decode(encodeAnswer({ json }, 'toon', form('none')).text);
      expect(JSON.stringify(back)).toBe(json);
    }),
    { numRuns: 200 },
  );
});

test('what has no form is refused', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  expect(() => encodeAnswer({ value: circle }, 'json', form('none'))).toThrow(
    expect.objectContaining({ code: 'SVC_REST_ENCODING' }),
  );
});
