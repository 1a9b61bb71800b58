import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNsText } from '../../schemas/ns-text.ts';

test('it reads as the number that it was made of', () => {
  const text = createNsText();
  const year3000 = 32_503_680_000 * 1e9;
  const moment = fc.oneof(
    fc.maxSafeNat(),
    fc.double({ min: 0, max: year3000, noNaN: true }).map(Math.round),
    fc.integer({ min: 0, max: 32_503_680_000 }).map(seconds => seconds * 1e9),
  );
  fc.assert(
    fc.property(moment, ns => {
      expect(text(ns)).toMatch(/^(0|[1-9]\d*)$/);
      expect(JSON.parse(text(ns))).toBe(ns);
    }),
    { numRuns: 5000 },
  );
});
