import { expect, test } from 'vitest';
import { createRegistry } from '../../kernel/index.ts';

test('entries are found by name and listed in the order they were added', () => {
  const registry = createRegistry<number>('number');
  registry.add('b', 2);
  registry.add('a', 1);
  expect([registry.get('b'), registry.get('c'), registry.has('a'), registry.size]).toEqual([2, undefined, true, 2]);
  expect(registry.list()).toEqual([2, 1]);
  expect(registry.names()).toEqual(['b', 'a']);
});

test('a taken name is SVC_KERNEL_DUPLICATE, and the message says what to do', () => {
  const registry = createRegistry<number>('tool');
  registry.add('a', 1);
  expect(() => registry.add('a', 2)).toThrow(
    expect.objectContaining({
      code: 'SVC_KERNEL_DUPLICATE',
      message: 'tool "a" is registered already: choose another name',
    }),
  );
  expect(registry.get('a')).toBe(1);
});

test('the generation grows with every change and only then', () => {
  const registry = createRegistry<number>('number');
  const undo = registry.add('a', 1);
  expect(registry.generation).toBe(1);
  expect(() => registry.add('a', 2)).toThrow();
  expect(registry.generation).toBe(1);
  undo();
  expect(registry.generation).toBe(2);
  undo();
  expect(registry.generation).toBe(2);
});

test('a disposer removes its own entry only, even when the same item came back under the same name', () => {
  const registry = createRegistry<string>('thing');
  const item = 'same';
  const first = registry.add('a', item);
  first();
  registry.add('a', item);
  first();
  expect(registry.get('a')).toBe(item);
});

test('names such as __proto__ and constructor are ordinary', () => {
  const registry = createRegistry<number>('number');
  expect(registry.has('constructor')).toBe(false);
  registry.add('__proto__', 1);
  expect(registry.get('__proto__')).toBe(1);
  expect(registry.get('toString')).toBeUndefined();
});
