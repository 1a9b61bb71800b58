import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMetIds } from '../../../plugins/feedback/met-ids.ts';

test('each id is met once, whatever its form, and after a clearing again', () => {
  const met = createMetIds();
  const ids = [
    ...Array.from({ length: 20_000 }, () => randomUUID()),
    ...Array.from({ length: 20_000 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
    ...['a', 'A', '00000000-0000-0000-0000-000000000000', 'AAAAAAAA-0000-4000-8000-000000000000'],
    ...['aaaaaaaa-0000-4000-8000-000000000000', 'aaaaaaaa000040008000000000000000', ''],
  ];
  for (let round = 0; round < 2; round += 1) {
    expect(ids.filter(each => !met.add(each))).toEqual([]);
    expect(met.size).toBe(ids.length);
    expect(ids.filter(each => met.add(each))).toEqual([]);
    met.clear();
    expect(met.size).toBe(0);
  }
});
