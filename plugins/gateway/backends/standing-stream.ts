/** What an instance tells by itself: kept coming while someone listens, in a new session where the old one ended. */
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionKeeper } from './session-keeper.ts';

const firstPauseMs = 100;
const longestPauseMs = 5000;

export function createStandingStream(sessions: SessionKeeper) {
  let stopping: AbortController | undefined;

  const keep = async (signal: AbortSignal): Promise<void> => {
    let pauseMs = firstPauseMs;
    const onOpen = (): void => {
      pauseMs = firstPauseMs;
    };
    while (!signal.aborted) {
      const opening = await sessions.open();
      if (signal.aborted) return;
      if ('session' in opening) {
        const end = await opening.session.listen({ signal, onOpen });
        if (end === 'over') return;
        if (end === 'forgotten') sessions.drop(opening.session);
      }
      // Rejects when it is stopped, which ends the loop.
      await pause(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };

  return {
    start(): void {
      if (stopping) return;
      stopping = new AbortController();
      void keep(stopping.signal);
    },
    stop(): void {
      stopping?.abort();
      stopping = undefined;
    },
  };
}
