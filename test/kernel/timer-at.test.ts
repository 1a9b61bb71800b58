import { expect, onTestFinished, test, vi } from 'vitest';
import { timerAt } from '../../schemas/timer-at.ts';

const day = 86_400_000;

test('a timer rings once at its time, also where that is further off than a timer can wait', () => {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  let rung = 0;
  timerAt(60 * day, Date.now, () => {
    rung += 1;
  });
  vi.advanceTimersByTime(60 * day - 1);
  expect(rung).toBe(0);
  vi.advanceTimersByTime(1);
  expect(rung).toBe(1);
  vi.advanceTimersByTime(60 * day);
  expect(rung).toBe(1);
});

test('a time that has passed rings at once, and one that was stopped never', () => {
  vi.useFakeTimers({ now: 1000 });
  onTestFinished(() => void vi.useRealTimers());
  const rung: string[] = [];
  timerAt(1, Date.now, () => rung.push('past'));
  timerAt(2000, Date.now, () => rung.push('near'));
  const stop = timerAt(1000 + 40 * day, Date.now, () => rung.push('far'));
  vi.advanceTimersByTime(30 * day);
  stop();
  expect(rung).toEqual(['past', 'near']);
  vi.advanceTimersByTime(30 * day);
  expect(rung).toEqual(['past', 'near']);
});
