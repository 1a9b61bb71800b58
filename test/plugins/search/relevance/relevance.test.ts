import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface ToolRecord {
  dcc_type: string;
  skill_name: string;
  name: string;
  description: string;
  tags: string[];
  aliases: string[];
  input_schema: { type: string; properties: Record<string, { description?: string }>; required?: string[] };
  annotations: Record<string, boolean>;
}

interface RelevanceQuery {
  id: string;
  query: string;
  filter?: { dcc_type?: string };
  relevant: string[];
  style: string;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const tools: ToolRecord[] = read('tools.json');
const sets: Record<string, RelevanceQuery[]> = { queries: read('queries.json'), holdout: read('holdout.json') };
const toolIds = tools.map(tool => `${tool.dcc_type}/${tool.name}`);
const known = new Set(toolIds);

const languages = ['lang_de', 'lang_fr', 'lang_es', 'lang_pt', 'lang_ja', 'lang_zh', 'lang_ko', 'lang_ru'];
const styles = [
  ...['exact', 'separators', 'natural', 'keywords', 'misspelling', 'inflection', 'synonym', 'schema'],
  ...['sentence', 'host_in_words', 'substring'],
  ...languages,
];

const twice = (values: string[]) => values.filter((value, at) => values.indexOf(value) !== at);

test('there are at least 430 tools of ten host types, none twice', () => {
  expect(tools.length).toBeGreaterThanOrEqual(430);
  expect(new Set(tools.map(tool => tool.dcc_type)).size).toBeGreaterThanOrEqual(10);
  expect(twice(toolIds)).toEqual([]);
});

test('every tool has what an adapter would send', () => {
  const broken = tools.filter(({ input_schema: schema, ...tool }) => {
    const properties = Object.entries(schema.properties);
    return !(
      tool.skill_name &&
      tool.description &&
      tool.tags.length > 0 &&
      schema.type === 'object' &&
      properties.length <= 6 &&
      properties.every(([, property]) => property.description) &&
      (schema.required ?? []).every(name => name in schema.properties)
    );
  });
  expect(broken).toEqual([]);
  expect(tools.filter(tool => Object.keys(tool.input_schema.properties).length === 0).length).toBeLessThanOrEqual(10);
});

test('the sets are large enough and share no id and no query', () => {
  const { queries = [], holdout = [] } = sets;
  expect(queries.length).toBeGreaterThanOrEqual(170);
  expect(holdout.length).toBeGreaterThanOrEqual(80);
  expect(queries.filter(each => languages.includes(each.style)).length).toBeGreaterThanOrEqual(30);
  const all = [...queries, ...holdout];
  expect(twice(all.map(each => each.id))).toEqual([]);
  expect(twice(all.map(each => `${each.query.toLowerCase()} ${each.filter?.dcc_type ?? ''}`))).toEqual([]);
});

describe.each(Object.entries(sets))('%s', (_name, queries) => {
  test('right answers exist, agree with the filter and number one to five', () => {
    const wrong = queries.filter(({ relevant, filter }) => {
      const inside = relevant.every(id => !filter?.dcc_type || id.startsWith(`${filter.dcc_type}/`));
      const counted = relevant.length >= 1 && relevant.length <= 5;
      return !(inside && counted && twice(relevant).length === 0 && relevant.every(id => known.has(id)));
    });
    expect(wrong).toEqual([]);
  });

  test('every style is there and no other', () => {
    expect([...new Set(queries.map(each => each.style))].sort()).toEqual([...styles].sort());
  });
});
