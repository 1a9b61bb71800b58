import { expect, test } from 'vitest';
import { createIds } from '../../kernel/index.ts';

test('event ids begin with ev_, never repeat, and differ between processes', () => {
  const [one, two] = [createIds(), createIds()];
  const made = Array.from({ length: 1000 }, () => one.event());
  expect(new Set([...made, two.event()]).size).toBe(1001);
  expect(made.every(id => /^ev_[\w-]+$/.test(id))).toBe(true);
});

test('the clock gives milliseconds and nanoseconds of the same moment', () => {
  const ids = createIds();
  expect(Math.abs(ids.nowNs() / 1e6 - ids.now())).toBeLessThan(1000);
  expect(Number.isInteger(ids.nowNs())).toBe(true);
  expect(ids.uuid()).toMatch(/^[0-9a-f-]{36}$/);
});
