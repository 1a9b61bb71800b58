import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from '../../kernel/index.ts';

test('following every cursor gives every item once, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 20 }), (items, size) => {
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const page = pageOf(items, cursor, size);
        expect(page.items.length).toBeLessThanOrEqual(size);
        seen.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(items);
    }),
  );
});

test('a cursor that no list gave, or from the future, is -32602 and says what to do', () => {
  for (const cursor of ['', 'zz', '2d31', '39393939', 5, null, {}, '31'.repeat(40)]) {
    expect(() => pageOf([1, 2, 3], cursor, 2)).toThrow(/start again without it/);
  }
});
