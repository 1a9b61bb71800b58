/** Work that may be left out takes no more than its part of the time. */
import { expect, test } from 'vitest';
import { createAllowance } from '../../../plugins/audit/records/allowance.ts';

test('as much as its share of each second; what failed has taken time too', () => {
  let time = 0;
  const { within } = createAllowance(0.02, () => time);
  const work = (ms: number) => () => {
    time += ms;
    return 'done';
  };
  expect(within(work(15))).toBe('done');
  expect(within(work(10))).toBe('done');
  expect(within(work(1))).toBeUndefined();
  time = 999;
  expect(within(work(1))).toBeUndefined();
  time = 1000;
  expect(() =>
    within(() => {
      time += 30;
      throw new Error('no TOON');
    }),
  ).toThrow('no TOON');
  expect(within(work(1))).toBeUndefined();
  time = 2100;
  expect(within(work(1))).toBe('done');
});
