/**
 * Whether the host lives, and whether its main thread comes by. Pings that were not answered are counted, not timed: a
 * machine that slept has sent none meanwhile.
 */
import type { HostMessages } from '../../schemas/host-link.ts';
import type { LinkState } from './link-state.ts';

const pingMs = 500;
/** The main thread is busy from then on. */
const busyMs = 2000;
/** 10 s. */
const mostUnanswered = 20;

export interface LivenessDeps {
  ping(n: number): void;
  /** Told when something changed that others see, and at every answer. */
  told(state: LinkState, turned: boolean): void;
  waiting(): number;
  /** The call that began last and has not ended. */
  begun(): string | undefined;
}

export function startLiveness({ ping, told, waiting, begun }: LivenessDeps) {
  let n = 0;
  let answered = 0;
  let state: LinkState = { state: 'connected', main_lag_ms: 0, tool: null, running: 0, waiting: 0 };

  const become = (next: LinkState): void => {
    const turned = next.state !== state.state || (next.state === 'busy' && next.tool !== state.tool);
    state = next;
    told(state, turned);
  };

  const timer = setInterval(() => {
    const unanswered = n - answered;
    const lag = unanswered * pingMs;
    if (unanswered >= mostUnanswered) become({ ...state, state: 'silent', main_lag_ms: lag });
    // Whoever holds the interpreter holds up what would answer.
    else if (lag > busyMs) become({ ...state, state: 'busy', main_lag_ms: lag, tool: begun() ?? state.tool });
    n += 1;
    ping(n);
  }, pingMs);

  return {
    pong({ n: of, main_lag_ms, tool, running, waiting: there }: HostMessages['pong']): void {
      answered = Math.max(answered, Math.min(of, n));
      const busy = main_lag_ms > busyMs;
      const all = there + waiting();
      become({ state: busy ? 'busy' : 'connected', main_lag_ms, tool, running, waiting: all });
    },
    /** What holds the main thread up, as a part of a sentence. */
    occupied(): string | undefined {
      const { main_lag_ms, tool } = state;
      if (state.state === 'silent') {
        return `the host has not answered for ${Math.round(((n - answered) * pingMs) / 1000)} s${tool ? ` and last ran "${tool}"` : ''}`;
      }
      if (tool) return `its main thread is occupied by "${tool}"`;
      return main_lag_ms > busyMs ? 'its main thread is occupied by the application itself' : undefined;
    },
    stop: () => clearInterval(timer),
  };
}
