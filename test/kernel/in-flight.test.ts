/** What is in flight is found by its number or its id, and nothing is kept alive once it has landed. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { InFlight } from '../../schemas/in-flight.ts';
import { InFlightById } from '../../schemas/in-flight-by-id.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/** Bytes that are still there after a minor collection, when 16 things of 2 KiB at a time came and went. */
function left(begin: (item: unknown) => () => void): number {
  const ends: (() => void)[] = [];
  const pass = (count: number): void => {
    for (let at = 0; at < count; at += 1) {
      ends[at % 16]?.();
      ends[at % 16] = begin(new Array(256).fill(at));
    }
  };
  pass(40);
  gc();
  gc();
  const before = getHeapStatistics().used_heap_size;
  pass(3000);
  gc({ type: 'minor' });
  gc({ type: 'minor' });
  return getHeapStatistics().used_heap_size - before;
}

describe('InFlight', () => {
  it('numbers what comes, and forgets it once', () => {
    const calls = new InFlight<string>();
    const [one, two] = [calls.add('one'), calls.add('two')];
    expect(two).toBeGreaterThan(one);
    expect([calls.get(one), calls.size]).toEqual(['one', 2]);
    expect([calls.take(one), calls.take(one), calls.get(one), calls.size]).toEqual(['one', undefined, undefined, 1]);
    expect(calls.get(one + 16)).toBeUndefined();
  });

  it('holds any number at once, also beside some that stay, in the order in which they came', () => {
    const calls = new InFlight<number>();
    const staying = [calls.add(-1), calls.add(-2)];
    let last = 0;
    for (let round = 0; round < 50; round += 1) {
      const numbers = Array.from({ length: 40 }, (_, at) => calls.add(at));
      for (const number of numbers) {
        expect(number).toBeGreaterThan(last);
        last = number;
      }
      expect(calls.list()).toEqual([-1, -2, ...numbers.keys()]);
      expect(calls.numbers()).toEqual([...staying, ...numbers]);
      expect(numbers.map(number => calls.take(number))).toEqual([...numbers.keys()]);
    }
    expect(calls.clear()).toEqual([-1, -2]);
    expect([calls.size, calls.list()]).toEqual([0, []]);
  });

  it('keeps nothing alive that was taken', () => {
    const calls = new InFlight<unknown>();
    const kept = left(item => {
      const number = calls.add(item);
      return () => calls.take(number);
    });
    expect(kept).toBeLessThan(2 ** 20);
  });
});

describe('InFlightById', () => {
  it('tells a number from a text', () => {
    const calls = new InFlightById<string>();
    calls.set(1, 'number');
    calls.set('1', 'text');
    calls.set('__proto__', 'hostile');
    calls.set(1.5, 'broken');
    expect([calls.get(1), calls.get('1'), calls.get('__proto__'), calls.get(1.5)]).toEqual([
      'number',
      'text',
      'hostile',
      'broken',
    ]);
    expect([calls.has(2), calls.get(2), calls.has('toString'), calls.size]).toEqual([false, undefined, false, 4]);
    calls.set(1, 'another');
    expect([calls.get(1), calls.size, calls.list().sort()]).toEqual([
      'another',
      4,
      ['another', 'broken', 'hostile', 'text'],
    ]);
    expect([calls.delete(1), calls.delete(1), calls.has(1), calls.size]).toEqual([true, false, false, 3]);
  });

  it('keeps nothing alive that was deleted', () => {
    const calls = new InFlightById<unknown>();
    let last = 0;
    const kept = left(item => {
      last += 1;
      const id = last;
      calls.set(id, item);
      return () => calls.delete(id);
    });
    expect(kept).toBeLessThan(2 ** 20);
  });
});
