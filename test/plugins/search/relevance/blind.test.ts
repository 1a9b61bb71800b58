/** The blind set: a second catalogue, written without sight of the first. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { relevanceQueries, relevanceRecords } from './figures.ts';

const sets = ['dev', 'sealed', 'later', 'plain', 'fresh', 'agents'] as const;
/** Parts that have a query of every style. */
const whole = new Set<string>(['dev', 'sealed']);
const languages = ['de', 'fr', 'es', 'pt', 'it', 'ja', 'zh', 'ko', 'ru'].map(each => `lang_${each}`);
const english = [
  ...['exact', 'separators', 'natural', 'keywords', 'misspelling', 'inflection', 'synonym', 'schema'],
  ...['sentence', 'host_in_words', 'substring'],
];
const records = relevanceRecords('blind');
const names = records.map(each => `${each.dcc_type}/${each.backend_tool}`);
const known = new Set(names);
const twice = (values: string[]) => values.filter((value, at) => values.indexOf(value) !== at);

test('there are at least 400 tools of ten host types, none twice, some without a description', () => {
  expect(names.length).toBeGreaterThanOrEqual(400);
  expect(new Set(records.map(each => each.dcc_type)).size).toBeGreaterThanOrEqual(10);
  expect(twice(names)).toEqual([]);
  expect(records.filter(each => each.description === '').length).toBeGreaterThan(5);
});

test('no tool of it is of the first set with the same words', () => {
  const first = new Set(relevanceRecords().map(each => `${each.dcc_type}/${each.backend_tool} ${each.description}`));
  expect(records.filter(each => first.has(`${each.dcc_type}/${each.backend_tool} ${each.description}`))).toEqual([]);
});

test('the parts share no id and no query, and two of them hold 240 queries evenly', () => {
  const [dev, sealed, later] = sets.map(name => relevanceQueries(`blind/${name}`)) as [never[], never[], never[]];
  expect(dev.length + sealed.length).toBeGreaterThanOrEqual(240);
  expect(Math.abs(dev.length - sealed.length)).toBeLessThanOrEqual(2);
  const all = sets.flatMap(name => relevanceQueries(`blind/${name}`));
  expect(later.length).toBeGreaterThan(0);
  expect(twice(all.map(each => each.id))).toEqual([]);
  expect(twice(all.map(each => `${each.query.toLowerCase()} ${each.filter?.dcc_type ?? ''}`))).toEqual([]);
});

test('agents send two to five English words, one at least', () => {
  const strange = relevanceQueries('blind/agents').filter(
    ({ query, style }) => style !== 'agent' || !/^[a-z0-9-]+( [a-z0-9-]+){0,4}$/.test(query),
  );
  expect(strange).toEqual([]);
});

describe.each(sets)('%s', name => {
  const queries = relevanceQueries(`blind/${name}`);

  test('right answers exist, agree with the filter and number one to five', () => {
    const wrong = queries.filter(({ relevant, filter }) => {
      const inside = relevant.every(id => !filter?.dcc_type || id.startsWith(`${filter.dcc_type}/`));
      const counted = relevant.length >= 1 && relevant.length <= 5 && twice(relevant).length === 0;
      return !(inside && counted && relevant.every(id => known.has(id)));
    });
    expect(wrong).toEqual([]);
  });

  test.runIf(whole.has(name))('every style is there and no other', () => {
    expect([...new Set(queries.map(each => each.style))].sort()).toEqual([...english, ...languages].sort());
  });
});

test('the readme tells how many tools and queries there are', () => {
  const readme = readFileSync(new URL('blind/README.md', import.meta.url), 'utf8');
  for (const count of [names.length, ...sets.map(name => relevanceQueries(`blind/${name}`).length)])
    expect(readme).toContain(String(count));
});
