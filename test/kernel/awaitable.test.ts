import { expect, test } from 'vitest';
import { after, createTurns, isPromise } from '../../schemas/awaitable.ts';

test('what is there goes on at once, what is not is awaited', async () => {
  expect(after(1, value => value + 1)).toBe(2);
  const later = after(Promise.resolve(1), value => value + 1);
  expect(isPromise(later)).toBe(true);
  expect(await later).toBe(2);
});

test('turns of one key keep their order, others do not wait for them', async () => {
  const turns = createTurns();
  const order: string[] = [];
  let release: () => void = () => undefined;
  const first = turns.take('a', () => new Promise<void>(resolve => (release = resolve)).then(() => order.push('a1')));
  const second = turns.take('a', () => order.push('a2'));
  expect(turns.take('b', () => 'b1')).toBe('b1');
  release();
  await Promise.all([first, second]);
  await turns.idle();
  expect(order).toEqual(['a1', 'a2']);
});
