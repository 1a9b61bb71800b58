import { expect, test } from 'vitest';
import { createEntries } from '../../kernel/index.ts';

test('entries are found by name and listed in the order they were added', () => {
  const entries = createEntries<number>('number');
  entries.add('b', 2);
  entries.add('a', 1);
  expect([entries.get('b'), entries.get('c')]).toEqual([2, undefined]);
  expect(entries.list()).toEqual([2, 1]);
  expect(entries.names()).toEqual(['b', 'a']);
});

test('a taken name is SVC_KERNEL_DUPLICATE, and the message says what to do', () => {
  const entries = createEntries<number>('tool');
  entries.add('a', 1);
  expect(() => entries.add('a', 2)).toThrow(
    expect.objectContaining({
      code: 'SVC_KERNEL_DUPLICATE',
      message: 'tool "a" is registered already: choose another name',
    }),
  );
  expect(entries.get('a')).toBe(1);
});

test('a disposer removes its own entry only, even when the same item came back under the same name', () => {
  const entries = createEntries<string>('thing');
  const item = 'same';
  const first = entries.add('a', item);
  first();
  entries.add('a', item);
  first();
  expect(entries.get('a')).toBe(item);
});

test('names such as __proto__ and constructor are ordinary', () => {
  const entries = createEntries<number>('number');
  expect(entries.get('constructor')).toBeUndefined();
  entries.add('__proto__', 1);
  expect(entries.get('__proto__')).toBe(1);
  expect(entries.get('toString')).toBeUndefined();
});
