/** The figures that the ranking reaches on the marked queries: deterministic, so they are asserted. */
import { expect, test } from 'vitest';
import {
  type Catalogue,
  type Kind,
  kindOf,
  kinds,
  measure,
  queriesOf,
  relevanceQueries,
  relevanceSearch,
} from './figures.ts';

const search = { first: relevanceSearch('first'), blind: relevanceSearch('blind') };
const languages = ['de', 'fr', 'es', 'pt', 'it', 'ja', 'zh', 'ko', 'ru'];

/** Recall@5 and MRR, a little below what was last measured: a fall is a change of the engine. */
const least: readonly [Catalogue, Kind, number, number][] = [
  ['first', 'direct', 0.97, 0.98],
  ['blind', 'direct', 0.96, 0.94],
  ['blind', 'agents', 0.95, 0.95],
  ['first', 'languages', 0.97, 0.95],
  ['blind', 'languages', 0.95, 0.93],
];

test.each(least)('%s catalogue, %s: recall@5 >= %f and MRR >= %f', (catalogue, kind, recall, mrr) => {
  const found = measure(
    search[catalogue],
    queriesOf(catalogue, each => kindOf(each) === kind),
  );
  expect(found.recall).toBeGreaterThanOrEqual(recall);
  expect(found.mrr).toBeGreaterThanOrEqual(mrr);
});

test.each(languages)('the language %s by itself', language => {
  const found = measure(
    search.blind,
    queriesOf('blind', each => each.style === `lang_${language}`),
  );
  expect(found.recall).toBeGreaterThanOrEqual(0.9);
  expect(found.mrr).toBeGreaterThanOrEqual(0.85);
});

/** Whole sets, whoever asks: the floors they have had from the beginning. */
test.each([
  ['first', 'queries', 0.95, 0.85],
  ['blind', 'blind/dev', 0.96, 0.95],
  ['blind', 'blind/sealed', 0.95, 0.85],
] as const)('%s catalogue, the whole set %s', (catalogue, name, recall, mrr) => {
  const found = measure(search[catalogue], relevanceQueries(name));
  expect(found.recall).toBeGreaterThanOrEqual(recall);
  expect(found.mrr).toBeGreaterThanOrEqual(mrr);
});

test('figures by who asks; what is told in a roundabout way has no floor', () => {
  for (const catalogue of ['first', 'blind'] as const) {
    for (const kind of kinds) {
      const queries = queriesOf(catalogue, each => kindOf(each) === kind);
      if (queries.length === 0) continue;
      const { recall, mrr } = measure(search[catalogue], queries);
      process.stdout.write(
        `${catalogue} ${kind}, ${queries.length} queries: recall@5 ${recall.toFixed(3)}, MRR ${mrr.toFixed(3)}\n`,
      );
    }
  }
  expect(new Set(queriesOf('blind', () => true).map(kindOf))).toEqual(new Set(kinds));
});

test('an exact name is the first hit, whatever else has the words', () => {
  for (const { query, filter, style } of relevanceQueries('queries')) {
    if (style !== 'exact') continue;
    const [first] = search.first.search({ query, ...filter }).hits;
    expect(first?.backend_tool.toLowerCase(), query).toBe(query.toLowerCase());
    expect(first?.score).toBe(2000);
  }
});
