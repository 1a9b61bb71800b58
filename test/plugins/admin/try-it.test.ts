/** What the form of a tool makes of its schema, and of what stands in its fields. */
import { describe, expect, it } from 'vitest';
import { type Draft, draftOf, readArguments } from '../../../plugins/admin/ui/panels/tools/arguments.ts';
import { kindOf, type Schema, settled } from '../../../plugins/admin/ui/panels/tools/schema.ts';

/** As tools that are made of Python types tell it. */
const shot: Schema = {
  type: 'object',
  $defs: {
    Range: {
      type: 'object',
      properties: { first: { type: 'integer', default: 1 }, last: { type: 'integer', minimum: 3 } },
      required: ['last'],
    },
    Node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/Node' } } },
  },
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
    range: { $ref: '#/$defs/Range', description: 'Which frames' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    ranges: { type: 'array', items: { $ref: '#/$defs/Range' } },
    mode: { enum: ['fast', 3, null] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
    either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    level: { oneOf: [{ const: 'low' }, { const: 'high' }] },
    free: { type: 'object' },
    flag: { type: 'boolean' },
    part: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    fixed: { const: 7 },
    node: { $ref: '#/$defs/Node' },
  },
  required: ['name'],
};

const read = (changes: { [name: string]: Draft }) =>
  readArguments(shot, { ...(draftOf(shot, shot) as object), ...changes });

describe('the form of a tool', () => {
  it('has a field for what a schema refers to and for the alternative that is not null', () => {
    const kinds = Object.entries(shot.properties ?? {}).map(([name, each]) => [name, kindOf(settled(each, shot))]);
    expect(Object.fromEntries(kinds)).toEqual({
      ...{ name: 'text', range: 'object', tags: 'list', ranges: 'list', mode: 'choice', note: 'text', either: 'json' },
      ...{ level: 'choice', free: 'json', flag: 'flag', part: 'number', fixed: 'choice', node: 'object' },
    });
    expect(settled(shot.properties?.range ?? {}, shot).description).toBe('Which frames');
  });

  it('leaves out what nobody has touched, also an object whose members have defaults', () => {
    expect(read({ name: 'a' })).toEqual({ args: { name: 'a', fixed: 7 }, problems: {} });
    expect(read({})).toMatchObject({ problems: { name: 'It is needed' } });
  });

  it('reads nested values, each as what it is', () => {
    const { args, problems } = read({
      name: 'abc',
      range: { first: '1', last: '9' },
      tags: ['a, b', 'c'],
      ranges: [{ first: '2', last: '4' }],
      mode: '3',
      either: 'a text',
      level: 'high',
      free: '{"x": [1]}',
      flag: 'false',
      part: '0.5',
    });
    expect(problems).toEqual({});
    expect(args).toEqual({
      ...{ name: 'abc', range: { first: 1, last: 9 }, tags: ['a, b', 'c'], ranges: [{ first: 2, last: 4 }] },
      ...{ mode: 3, either: 'a text', level: 'high', free: { x: [1] }, flag: false, part: 0.5, fixed: 7 },
    });
    expect(read({ name: 'a', mode: 'null', either: '12' }).args).toMatchObject({ mode: null, either: 12 });
  });

  it('tells each mistake at its field', () => {
    const { problems } = read({
      name: 'ABC',
      range: { first: '1.5', last: '' },
      tags: ['a', '', 'c'],
      ranges: [{ first: 'x', last: '2' }],
      free: '{',
      part: '1',
    });
    expect(problems).toEqual({
      name: 'It must fit the pattern ^[a-z]+$',
      'range.first': 'It must be a whole number',
      'range.last': 'It is needed',
      tags: 'It takes at most 2',
      'tags.1': 'It is needed',
      'ranges.0.first': 'It must be a number',
      'ranges.0.last': 'It must be at least 3',
      free: 'It must be JSON, such as ["a", "b"] or {"x": 1}',
      part: 'It must be less than 1',
    });
    expect(read({ name: 'abcdef' }).problems).toEqual({ name: 'It must have at most 5 letters' });
  });

  it('ends with JSON where a schema contains itself', () => {
    const draft = draftOf(shot, shot) as Record<string, Record<string, unknown>>;
    expect(JSON.stringify(draft.node)).toBe(
      '{"name":"","next":{"name":"","next":{"name":"","next":{"name":"","next":""}}}}',
    );
    const at = { name: 'a', next: { name: '', next: { name: '', next: { name: '', next: '{"name":"deep"}' } } } };
    expect(read({ name: 'a', node: at as Draft }).args.node).toMatchObject({ name: 'a', next: { next: { next: {} } } });
  });

  it('begins with the default of a list or an object', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        tags: { type: 'array', items: { type: 'string' }, default: ['a'] },
        range: { type: 'object', properties: { first: { type: 'integer' } }, default: { first: 5 } },
      },
    };
    const draft = draftOf(schema, schema);
    expect(draft).toEqual({ tags: ['a'], range: { first: '5' } });
    expect(readArguments(schema, draft).args).toEqual({ tags: ['a'], range: { first: 5 } });
  });
});
