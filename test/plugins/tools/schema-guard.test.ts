/** Which schemas may be checked on the server's thread, and what checks the others. */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createSchemas, type JsonSchema } from '../../../kernel/index.ts';
import { createSchemaGuard } from '../../../plugins/tools/schema-guard.ts';
import { isQuickPattern, isSurelyQuick } from '../../../schemas/schema-risk.ts';

const object = (properties: JsonSchema): JsonSchema => ({ type: 'object', properties });

/** `depth` definitions, each of which tries the next one twice. */
const chained = (depth: number): JsonSchema => {
  const next = (n: number) => ({ $ref: `#/$defs/d${n}` });
  const $defs = Object.fromEntries(
    Array.from({ length: depth }, (_, n) => [`d${n}`, { anyOf: [next(n + 1), next(n + 1)] }] as const),
  );
  return { type: 'object', properties: { x: next(0) }, $defs: { ...$defs, [`d${depth}`]: { type: 'number' } } };
};

test.each([
  ...['^[a-z_]+$', '^#[0-9a-f]{6}$', 'abc', '^\\d{4}-\\d{2}-\\d{2}$', '^(?:mp4|mov)$', '^/', '\\.usd[acz]?$', '^\\S*$'],
  ...['^x{2,}$', '^[^\\]]*$', 'a|b|c', ''],
])('a pattern that takes time in proportion to the text: %s', pattern => {
  expect(isQuickPattern(pattern)).toBe(true);
});

test.each([
  ...[
    '^(a+)+$',
    '^(a|a)*$',
    '\\d+$',
    '(x+x+)+y',
    '^\\d+\\.\\d+$',
    '(.*)\\1',
    '^(?=.*a)(?=.*b).*$',
    '^(a{0,99}){0,99}$',
  ],
  ...['^(a?){30}$', 'a{0,200}b{0,200}c', '^a|b+$', '^(?:a|aa)+$'],
])('a pattern that may not: %s', pattern => {
  expect(isQuickPattern(pattern)).toBe(false);
});

test.each<[string, JsonSchema]>([
  ['plain', object({ name: { type: 'string' }, size: { type: 'number', minimum: 0 } })],
  ['a tree', { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } }],
  ['a binary tree', object({ left: { $ref: '#' }, right: { $ref: '#' } })],
  ['alternatives', { type: 'object', oneOf: [object({ a: { type: 'string' } }), object({ a: { type: 'number' } })] }],
  [
    'shared definitions',
    { ...object({ a: { $ref: '#/$defs/v' }, b: { $ref: '#/$defs/v' } }), $defs: { v: { type: 'array' } } },
  ],
  ['unique texts', object({ tags: { type: 'array', uniqueItems: true, items: { type: 'string' } } })],
])('a schema that is sure to be quick: %s', (_, schema) => {
  expect(isSurelyQuick(schema)).toBe(true);
});

const twice = { anyOf: [object({ a: { $ref: '#' } }), object({ a: { $ref: '#' } })] };

test.each<[string, JsonSchema]>([
  ['chained alternatives', chained(24)],
  ['a pattern', object({ name: { type: 'string', pattern: '^(a+)+$' } })],
  ['pattern properties', { type: 'object', patternProperties: { '(x+x+)+y': {} } }],
  ['unique objects', object({ list: { type: 'array', uniqueItems: true } })],
  ['recursion in two branches', { type: 'object', ...twice }],
  ['recursion beside itself', { ...object({ a: { $ref: '#' } }), patternProperties: { '^a': { $ref: '#' } } }],
  ['a dynamic reference', object({ a: { $dynamicRef: '#x' } })],
  ['another base', object({ a: { $id: 'http://x/y', properties: { b: { $ref: '#/z' } } } })],
])('a schema that is not: %s', (_, schema) => {
  expect(isSurelyQuick(schema)).toBe(false);
});

const quickly = (work: () => unknown): number => {
  const from = performance.now();
  work();
  return performance.now() - from;
};

test('what counts as quick is: random patterns against texts made to mislead them', () => {
  const atoms = fc.constantFrom('a', 'b', '.', '[ab]', '\\w', '(?:a|b)', '(a)', '|', '^', '$', '(?=a)');
  const repeats = fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,9}', '{3,}', '*?');
  const patterns = fc.array(
    fc.tuple(atoms, repeats).map(parts => parts.join('')),
    { minLength: 1, maxLength: 6 },
  );
  let quick = 0;
  fc.assert(
    fc.property(patterns, parts => {
      const pattern = parts.join('');
      let made: RegExp;
      try {
        made = new RegExp(pattern, 'u');
      } catch {
        return;
      }
      if (!isQuickPattern(pattern)) return;
      quick += 1;
      // Quadratic would be ten seconds, not milliseconds; the bound only tells them apart.
      for (const text of [`${'a'.repeat(50_000)}!`, `${'ab'.repeat(25_000)}!`]) {
        expect(
          quickly(() => made.test(text)),
          pattern,
        ).toBeLessThan(2000);
      }
    }),
    { numRuns: 400 },
  );
  expect(quick).toBeGreaterThan(20);
});

test('a check that takes too long ends for itself alone; the same guard goes on', async () => {
  const guard = createSchemaGuard(1500);
  onTestFinished(() => guard.close());
  const evil = chained(26);
  const text = object({ name: { type: 'string', pattern: '^(a+)+$' } });
  const fine = object({ n: { type: 'number' } });
  const slow = guard.check('skill:evil', evil, { x: 'no number' }).catch((error: Error) => error.message);
  const beside = guard.check('skill:good', fine, { n: 'x' });
  expect(await beside).toEqual([{ field: 'n', message: '"n" must be number' }]);
  expect(await slow).toBe('it took longer than 1500 ms');
  expect(await guard.check('skill:evil', evil, {})).toBeUndefined();
  expect(await guard.check('skill:evil', text, { name: 'aaaa' })).toBeUndefined();
  await expect(guard.check('skill:evil', text, { name: `${'a'.repeat(40)}!` })).rejects.toThrow('longer than 1500 ms');
  await expect(guard.check('skill:evil', { type: 'object', $ref: '#/nowhere' }, {})).rejects.toThrow(/nowhere/);
});

test('many owners share a few threads, and too many checks of one owner are refused', async () => {
  const guard = createSchemaGuard(5000);
  onTestFinished(() => guard.close());
  const owners = Array.from({ length: 12 }, (_, n) => `skill:${n}`);
  const schema = object({ n: { type: 'number' } });
  const told = await Promise.all(owners.map(owner => guard.check(owner, schema, { n: 1 }).catch(() => 'lost')));
  expect(told.filter(each => each === undefined).length).toBeGreaterThan(7);
  const many = Array.from({ length: 40 }, () =>
    guard.check('skill:0', schema, {}).then(String, (e: Error) => e.message),
  );
  expect((await Promise.all(many)).filter(each => each.includes('wait already'))).toHaveLength(8);
});

test('the guard says the same as the check in place', async () => {
  const guard = createSchemaGuard();
  onTestFinished(() => guard.close());
  const schema = { ...object({ a: { type: 'string', minLength: 2 }, b: { enum: [1, 2] } }), required: ['a'] };
  const here = createSchemas().compile(schema);
  for (const value of [{}, { a: 'x' }, { a: 'xy' }, { a: 1, b: 3 }, null, []]) {
    expect(await guard.check('o', schema, value)).toEqual(here(value));
  }
});
