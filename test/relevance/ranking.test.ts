/** The figures that the ranking reaches on the marked queries: deterministic, so they are asserted. */
import { expect, test } from 'vitest';
import { measure, relevanceQueries, relevanceSearch } from './figures.ts';

test('recall@5 and MRR of the marked queries reach their targets', () => {
  const { recall, mrr } = measure(relevanceSearch(), relevanceQueries('queries'));
  expect(recall).toBeGreaterThanOrEqual(0.95);
  expect(mrr).toBeGreaterThanOrEqual(0.85);
});

test('an exact name is the first hit, whatever else has the words', () => {
  const search = relevanceSearch();
  for (const { query, filter, style } of relevanceQueries('queries')) {
    if (style !== 'exact') continue;
    const [first] = search.search({ query, ...filter }).hits;
    expect(first?.backend_tool.toLowerCase(), query).toBe(query.toLowerCase());
    expect(first?.score).toBe(2000);
  }
});
