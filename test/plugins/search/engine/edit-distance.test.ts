import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from '../../../../plugins/search/engine/edit-distance.ts';

/** The whole table, by the definition. */
function alignment(a: string, b: string): number {
  const cell = (i: number, j: number): number => table[i]?.[j] as number;
  const table: number[][] = [];
  for (let i = 0; i <= a.length; i += 1) {
    table.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      if (i === 0) {
        table[0]?.push(j);
        continue;
      }
      const replaced = cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, replaced);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) best = Math.min(best, cell(i - 2, j - 2) + 1);
      table[i]?.push(best);
    }
  }
  return cell(a.length, b.length);
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 10 });

test('the distance is that of the whole table, up to the bound', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, most) => {
      expect(editDistance(a, b, most)).toBe(Math.min(alignment(a, b), most + 1));
    }),
    { numRuns: 5000 },
  );
});

test('words longer than any seen before', () => {
  const long = 'x'.repeat(5000);
  expect(editDistance(long, `${long}y`, 2)).toBe(1);
  expect(editDistance(long, long, 2)).toBe(0);
  expect(editDistance('kitten', 'sitting', 3)).toBe(3);
});
