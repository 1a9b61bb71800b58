/** The index never misses a substring: parts of the texts of every field, drawn at random, find their record. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CapabilityRecord, SearchInput } from '../../../../plugins/gateway/index/api.ts';
import { spell } from '../../../../plugins/search/engine/tokens.ts';
import { isStopWord } from '../../../../plugins/search/lexicon/stop-words.ts';
import { createRecordSearch, relevanceRecords } from '../../search/relevance/figures.ts';
import { hostileRecords, record } from './hostile-records.ts';

const records: readonly CapabilityRecord[] = [...hostileRecords, ...relevanceRecords()];
const search = createRecordSearch();
for (const each of records) search.put(each);

/** Names of everything that is found, page by page. */
function complete(input: SearchInput, { search: find } = search): Set<string> {
  const found = new Set<string>();
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const answer = find({ ...input, limit: 100, offset });
    total = answer.total;
    for (const hit of answer.hits) found.add(hit.tool_slug);
    if (offset + 100 >= total) expect(found.size).toBe(total);
  }
  return found;
}

/** Texts of the indexed fields, as they were given. */
function rawTexts(each: CapabilityRecord): string[] {
  const { backend_tool, skill_name, summary, description, search_hint, tags, aliases, annotations, dcc_type } = each;
  const names: string[] = [];
  const walk = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties = {}, $defs = {}, items, enum: values = [] } = schema as Record<string, never>;
    names.push(...Object.keys(properties), ...(values as string[]));
    for (const each of [...Object.values(properties), ...Object.values($defs), items]) walk(each);
  };
  walk(each.input_schema);
  const single = [backend_tool, skill_name, summary, description, search_hint, annotations?.title, dcc_type];
  return [...single, ...tags, ...aliases, ...names].filter(text => typeof text === 'string' && text !== '') as string[];
}

const texts = new Map(records.map(each => [each, rawTexts(each)]));
const spelled = new Map(records.map(each => [each, rawTexts(each).map(spell)]));
const holding = (part: string): CapabilityRecord[] => {
  const wanted = spell(part).trim();
  return records.filter(each => spelled.get(each)?.some(text => text.includes(wanted)));
};

/** What a reader takes for one character: nobody asks for half of one. */
const characters = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(each => each.segment);

const cases = [(text: string) => text, (text: string) => text.toUpperCase(), (text: string) => text.toLowerCase()];

/** A record and a part of one of its texts, which begins and ends anywhere; half of them are of hostile records. */
const parts = (longest: number) =>
  fc
    .record({
      at: fc.oneof(fc.nat(hostileRecords.length - 1), fc.nat(records.length - 1)),
      ...{ field: fc.nat(), from: fc.nat(), length: fc.integer({ min: 1, max: longest }) },
      written: fc.constantFrom(...cases),
    })
    .map(({ at, field, from, length, written }) => {
      const source = records[at] as CapabilityRecord;
      const own = texts.get(source) as string[];
      const all = characters(own[field % own.length] as string);
      const start = from % all.length;
      const raw = all.slice(start, start + length).join('');
      return { source, raw, part: written(raw) };
    })
    .filter(({ raw }) => raw.trim() !== '');

const missing = (expected: readonly CapabilityRecord[], found: ReadonlySet<string>): string[] =>
  expected.filter(each => !found.has(each.tool_slug)).map(each => each.tool_slug);

test.each(['fuzzy', 'exact'] as const)('every part of every text finds its record (%s)', mode => {
  fc.assert(
    fc.property(parts(60), ({ source, part }) => {
      const found = complete({ query: part, mode });
      const expected = [source, ...holding(part)];
      expect(missing(expected, found), JSON.stringify(part)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

const stopWords = fc.constantFrom('the', 'to', 'of', 'for', 'und', 'la', 'in', 'is', 'please', 'не');

/** A part without what people write around words, and without blanks. */
const chunk = parts(14).map(({ part }) =>
  (part.trim().split(/\s/)[0] ?? '').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#*]+$/gu, ''),
);

/** Whether a piece asks for something by itself: not one letter, nor a word that is in every sentence. */
function counts(piece: string): boolean {
  const word = spell(piece);
  if (/['’]/.test(word) || characters(word).length < 2 || isStopWord(word)) return false;
  return /[\p{L}\p{N}]/u.test(word);
}

test('in a mixed query the whole finds its record, and so does every word that says something', () => {
  const mixed = fc.array(fc.oneof(stopWords, chunk, chunk), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(mixed, pieces => {
      const query = pieces.filter(Boolean).join(' ');
      fc.pre(query !== '');
      const found = complete({ query });
      const expected = [query, ...pieces.filter(counts)].flatMap(holding);
      expect(missing(expected, found), JSON.stringify(query)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('one letter finds everything that has it, where it stands alone first', () => {
  const own = createRecordSearch();
  const names = ['axis', 'set_x', 'x', 'exit', 'move'];
  for (const name of names) own.put(record(name));
  expect(own.search({ query: 'x' }).hits.map(hit => hit.backend_tool)).toEqual(['x', 'set_x', 'axis', 'exit']);
  for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789面点') {
    expect(missing(holding(letter), complete({ query: letter })), letter).toEqual([]);
  }
});

test('names of punctuation, digits and stop words are first when they are asked for', () => {
  for (const { backend_tool } of hostileRecords) {
    const [first] = search.search({ query: backend_tool }).hits;
    expect(first?.backend_tool, backend_tool.slice(0, 40)).toBe(backend_tool);
    expect(first?.score).toBe(2000);
  }
  for (const query of ['c++ compiler', 'sphere x_y_z', 'render a-b']) {
    const odd = query.split(' ').find(word => /\W|_/.test(word)) as string;
    const hits = search.search({ query, limit: 5 }).hits.filter(hit => hit.backend_tool === odd);
    expect(hits.length, query).toBe(1);
    expect(hits[0]?.match_reasons, query).toContain('tool_lexical');
  }
});

test('alternatives count every record once, and a query beyond the limits still finds what it is a part of', () => {
  const a = complete({ query: 'sphere' });
  const b = complete({ query: 'texture' });
  expect(search.search({ query: 'sphere', or_queries: ['texture'] }).total).toBe(new Set([...a, ...b]).size);

  const own = createRecordSearch();
  const long = Array.from({ length: 400 }, (_, at) => `w${at.toString(36)}q`).join(' ');
  const letters = 'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9 to be';
  own.put(record('long', { description: long }));
  own.put(record('letters', { description: letters }));
  const find = (query: string) => own.search({ query }).hits.map(hit => hit.backend_tool);
  expect(find(long)).toContain('long');
  expect(find(long.slice(300))).toContain('long');
  expect(find(letters)[0]).toBe('letters');
});

test('what a record had is forgotten with it, what came in its place is found', () => {
  const own = createRecordSearch();
  const find = (query: string) => own.search({ query }).hits.map(hit => hit.backend_tool);
  const old = record('c++', { description: 'q: a-b.' });
  own.put(old);
  for (const query of ['c++', 'q', 'a-b', '+', ': a']) expect(find(query), query).toEqual(['c++']);
  own.remove(old);
  own.put(record('x_y', { description: 'Plain.' }));
  for (const query of ['c++', 'q', 'a-b', '+', ': a']) expect(find(query), query).toEqual([]);
  for (const query of ['x_y', '_', 'x', 'n.']) expect(find(query), query).toEqual(['x_y']);
  for (let at = 0; at < 300; at += 1) own.put(record(`tool_${at}`, { description: at === 299 ? 'F#.' : '' }));
  expect(find('f#')).toEqual(['tool_299']);
});
