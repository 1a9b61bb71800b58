/** How long a host may not answer, by the clock of the test: a lid that is closed for longer than anybody waits. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LinkState } from '../../../plugins/host-link/link-state.ts';
import { startLiveness } from '../../../plugins/host-link/liveness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const turns: LinkState[] = [];
  let last = 0;
  const liveness = startLiveness({
    ping(n) {
      last = n;
    },
    told: (state, turned) => void (turned && turns.push(state)),
    waiting: () => 3,
    begun: () => 'bake',
  });
  const pong = (main_lag_ms: number, tool: string | null = null): void =>
    liveness.pong({ t: 'pong', n: last, main_lag_ms, tool, running: 1, waiting: 2 });
  return { ...liveness, pong, turns };
}

test('a host that stops for 40 s is busy after 2 s and silent after 10 s; it is there again with its next answer', () => {
  const { turns, pong, occupied, stop } = watched();
  vi.advanceTimersByTime(500);
  pong(20);
  expect(occupied()).toBeUndefined();
  vi.advanceTimersByTime(40_000);
  expect(turns.map(each => each.state)).toEqual(['busy', 'silent']);
  expect(occupied()).toBe('the host has not answered for 40 s and last ran "bake"');
  pong(20);
  expect(turns.at(-1)).toMatchObject({ state: 'connected', running: 1, waiting: 5 });
  expect(occupied()).toBeUndefined();
  stop();
  vi.advanceTimersByTime(40_000);
  expect(turns).toHaveLength(3);
});

test('a machine that slept sent no pings meanwhile: nobody is told of anything', () => {
  const { turns, pong, stop } = watched();
  vi.advanceTimersByTime(500);
  pong(20);
  // Timers stand still; what the clock says when they go on does not count.
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(500);
  pong(20);
  expect(turns).toEqual([]);
  stop();
});

test('a main thread that does not come by is told with what it runs, or that it is the application itself', () => {
  const { turns, pong, occupied, stop } = watched();
  vi.advanceTimersByTime(500);
  pong(2500, 'export');
  expect(occupied()).toBe('its main thread is occupied by "export"');
  pong(3000);
  expect(occupied()).toBe('its main thread is occupied by the application itself');
  expect(turns.map(each => [each.state, each.tool])).toEqual([
    ['busy', 'export'],
    ['busy', null],
  ]);
  stop();
});
