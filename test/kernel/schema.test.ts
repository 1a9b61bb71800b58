import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSchemas, summary } from '../../kernel/index.ts';
import { computing } from './support.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    size: { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'], additionalProperties: false },
    mode: { enum: ['a', 'b'] },
    version: { const: 1 },
    list: { type: 'array', items: { type: 'integer' } },
    'odd/na~me': { type: 'string' },
  },
  required: ['name'],
  additionalProperties: false,
};

test.each([
  [{}, 'name', '"name" is required'],
  [{ name: 5 }, 'name', '"name" must be string'],
  [{ name: 'ab', extra: 1 }, 'extra', '"extra" is not a known field'],
  [{ name: 'ab', size: {} }, 'size.x', '"size.x" is required'],
  [{ name: 'ab', size: { x: 1, y: 2 } }, 'size.y', '"size.y" is not a known field'],
  [{ name: 'ab', mode: 'c' }, 'mode', '"mode" must be one of ["a","b"]'],
  [{ name: 'ab', version: 2 }, 'version', '"version" must be 1'],
  [{ name: 'ab', list: [1, 'x'] }, 'list.1', '"list.1" must be integer'],
  [{ name: 'ab', 'odd/na~me': 1 }, 'odd/na~me', '"odd/na~me" must be string'],
  ['text', '', 'the value must be object'],
])('validation: %j is refused in a sentence that names the field', (value, field, message) => {
  const problems = createSchemas().compile(schema)(value);
  expect(problems).toContainEqual({ field, message });
});

test.each([
  ['x', '"v" must be number or null'],
  [-1, '"v" must be >= 0'],
  [{}, '"v" must be number or null'],
])('validation: of alternatives %j is held against that of its type: %s', (v, told) => {
  const choice = { properties: { v: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] } } };
  expect(summary(createSchemas().compile(choice)({ v }) ?? [])).toBe(told);
});

test('validation: of alternatives that all are of its type each is told, inner ones too', () => {
  const choice = { anyOf: [{ required: ['a'] }, { required: ['b'] }, { type: 'null' }] };
  expect(summary(createSchemas().compile(choice)({}) ?? [])).toBe(
    '"a" is required; "b" is required; the value must match a schema in anyOf',
  );
  const list = { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'array', items: choice }] } };
  expect(summary(createSchemas().compile(list)([[5], 5, ['x']]) ?? [])).toContain('"1" must be string or array');
});

test('validation: every problem of a small value is told, at most eight by name', () => {
  const validate = createSchemas().compile(schema);
  expect(summary(validate({ size: {}, mode: 'c' }) ?? [])).toBe(
    '"name" is required; "size.x" is required; "mode" must be one of ["a","b"]',
  );
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 1]));
  const told = validate({ name: 'ab', ...many }) ?? [];
  expect(told).toHaveLength(9);
  expect(told.at(-1)?.message).toBe('and 12 more problems');
});

test('validation: a huge invalid value costs no more than its first problem', () => {
  const validate = createSchemas().compile(schema);
  const list = Array.from({ length: 1_000_000 }, () => 'x');
  const spent = computing();
  expect(validate({ name: 'ab', list })).toEqual([{ field: 'list.0', message: '"list.0" must be integer' }]);
  const deep = { name: 'ab', list: list.slice(0, 3).map(() => ({ list })) };
  expect(validate(deep)).toHaveLength(1);
  expect(spent()).toBeLessThan(1000);
});

test('validation: a schema is compiled once per object and forgotten on release', () => {
  const schemas = createSchemas();
  const own = { ...schema };
  const first = schemas.compile(own);
  expect(schemas.compile(own)).toBe(first);
  expect(schemas.compile({ ...own })).not.toBe(first);
  first({});
  schemas.release(own);
  schemas.release(own);
  expect(schemas.compile(own)).not.toBe(first);
});

test('validation: two schemas with the same $id live side by side', () => {
  const schemas = createSchemas();
  const text = schemas.compile({ $id: 'https://x.example/s', type: 'string' });
  const number = schemas.compile({ $id: 'https://x.example/s', type: 'number' });
  expect([text('a'), number(1)]).toEqual([undefined, undefined]);
  expect(text(1)).toEqual([{ field: '', message: 'the value must be string' }]);
  expect(number('a')).toEqual([{ field: '', message: 'the value must be number' }]);
});

test('validation: draft-07 and 2020-12 each mean what they say', () => {
  const schemas = createSchemas();
  const draft7 = schemas.compile({
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { n: { type: 'number' } },
    type: 'array',
    items: [{ $ref: '#/definitions/n' }],
  });
  expect(draft7([1, 'free'])).toBeUndefined();
  expect(draft7(['x'])).toBeDefined();
  const modern = schemas.compile({
    $defs: { n: { type: 'number' } },
    type: 'array',
    prefixItems: [{ $ref: '#/$defs/n' }],
  });
  expect(modern([1, 'free'])).toBeUndefined();
  expect(modern(['x'])).toBeDefined();
});

test.each([
  [{ type: 'nonsense' }],
  [{ $ref: 'https://elsewhere.example/schema' }],
  [{ $async: true, type: 'object' }],
  [{ type: 'string', pattern: '(' }],
  [{ properties: 5 }],
])('validation: schema %j is itself invalid, each time it is asked', bad => {
  const schemas = createSchemas();
  expect(() => schemas.compile(bad)).toThrow();
  expect(() => schemas.compile(bad)).toThrow();
});

test('validation: defaults are filled in only where asked', () => {
  const withDefault = { type: 'object', properties: { a: { type: 'integer', default: 3 } } };
  const [plain, filled] = [{}, {}];
  createSchemas().compile(withDefault)(plain);
  createSchemas().compileWithDefaults(withDefault)(filled);
  expect([plain, filled]).toEqual([{}, { a: 3 }]);
});

test('validation: any JSON value is accepted or explained, never thrown over (property)', () => {
  const validate = createSchemas().compile(schema);
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.object()), value => {
      const problems = validate(value);
      return problems === undefined || (problems.length > 0 && problems.every(each => each.message !== ''));
    }),
  );
});

test('validation: check says what makes a schema invalid, in its own dialect', () => {
  const schemas = createSchemas();
  expect(schemas.check({ type: 'object', properties: { a: { type: 'text' } } })?.[0]?.field).toBe('properties.a.type');
  expect(
    schemas.check({ $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] }),
  ).toBeUndefined();
  expect(schemas.check({ items: [{ type: 'string' }] })).toBeDefined();
  expect(schemas.check({})).toBeUndefined();
});

test.each([{}, { $id: 'svc:tree' }, { $schema: 'http://json-schema.org/draft-07/schema#' }])(
  'validation: a schema that refers to itself checks every level: %j',
  more => {
    const schemas = createSchemas();
    const tree = { ...more, type: 'object', properties: { n: { type: 'integer' }, child: { $ref: '#' } } };
    const validate = schemas.compile(tree);
    expect(validate({ child: { child: { n: 1 } } })).toBeUndefined();
    expect(validate({ child: { child: { n: 'x' } } })).toEqual([
      { field: 'child.child.n', message: '"child.child.n" must be integer' },
    ]);
    schemas.release(tree);
    expect(schemas.compile({ ...tree })({ n: 'x' })).toHaveLength(1);
  },
);
