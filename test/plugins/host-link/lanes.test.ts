import { expect, test } from 'vitest';
import { createLanes } from '../../../plugins/host-link/lanes.ts';

const entry = (caller: string, affinity: 'main' | 'any', name: string) => ({ caller, affinity, name });

test('callers take turns, each in order', () => {
  const lanes = createLanes<ReturnType<typeof entry>>();
  for (const name of ['a1', 'a2', 'a3']) lanes.add(entry('a', 'main', name));
  for (const name of ['b1', 'b2']) lanes.add(entry('b', 'main', name));
  expect(lanes.waiting).toBe(5);
  expect(Array.from({ length: 5 }, () => lanes.next('main')?.name)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  expect(lanes.waiting).toBe(0);
});

test('32 are out at most; those of the main thread leave room for the others', () => {
  const lanes = createLanes<ReturnType<typeof entry>>();
  const add = (affinity: 'main' | 'any') => {
    for (let index = 0; index < 40; index++) lanes.add(entry('a', affinity, String(index)));
    let out = 0;
    while (lanes.next(affinity)) out += 1;
    return out;
  };
  const main = add('main');
  const any = add('any');
  expect(main + any).toBe(32);
  expect(any).toBe(4);
  lanes.back('any');
  expect(lanes.next('any')?.name).toBe('4');
  expect(lanes.next('any')).toBeUndefined();
});

test('one that waits is taken back, one that has gone is not', () => {
  const lanes = createLanes<ReturnType<typeof entry>>();
  const [gone, waits, other] = [entry('a', 'any', '1'), entry('a', 'any', '2'), entry('b', 'main', '3')];
  for (const each of [gone, waits, other]) lanes.add(each);
  expect(lanes.next('any')).toBe(gone);
  expect(lanes.remove(gone)).toBe(false);
  expect(lanes.remove(waits)).toBe(true);
  expect(lanes.clear()).toEqual([other]);
  expect(lanes.waiting).toBe(0);
});
