import { expect, test } from 'vitest';
import { createSlices } from '../../kernel/index.ts';

const work = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test.each([1, 16])(
  'the loop turns every few milliseconds of work, and not for less (%d steps to a look)',
  async steps => {
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns += 1;
      if (counting) setImmediate(count);
    };
    const turn = createSlices(steps);
    expect(turn()).toBeUndefined();
    setImmediate(count);
    for (let step = 0; step < 200; step += 1) {
      work(0.5);
      await turn();
    }
    counting = false;
    // 100 ms of work: a look after every 16th step of half a millisecond finds 4 ms over at the latest after 8.
    expect(turns).toBeGreaterThanOrEqual(steps === 1 ? 15 : 8);
  },
);
