/** What an instance tells by itself: kept coming while someone listens, in a new session where the old one ended. */
import { setTimeout as pause } from 'node:timers/promises';
import type { LinkSession } from './driver.ts';
import type { SessionKeeper } from './session-keeper.ts';

const firstPauseMs = 100;
const longestPauseMs = 5000;
/** Of a server that answers, and refuses the stream. */
const longestRefusalMs = 60_000;

/** `onBroken` is told of a stream that ended by itself: the process at its other end may have. */
export function createStandingStream(sessions: SessionKeeper, onBroken: () => void) {
  let stopping: AbortController | undefined;
  /** The session that has no such stream: another one may. */
  let without: LinkSession | undefined;

  const keep = async (signal: AbortSignal): Promise<void> => {
    let pauseMs = firstPauseMs;
    const onOpen = (): void => {
      pauseMs = firstPauseMs;
    };
    while (!signal.aborted) {
      const opening = await sessions.open();
      if (signal.aborted) return;
      let longestMs = longestPauseMs;
      if ('session' in opening) {
        const { session } = opening;
        const end = await session.listen({ signal, onOpen });
        if (end === 'over') {
          without = session;
          stopping = undefined;
          return;
        }
        if (end === 'ended' && !signal.aborted) onBroken();
        if (end === 'forgotten') sessions.drop(session);
        if (end === 'refused' && !signal.aborted && !(await sessions.renewed(session))) longestMs = longestRefusalMs;
      }
      // Rejects when it is stopped, which ends the loop.
      await pause(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestMs);
    }
  };

  return {
    start(): void {
      if (stopping || (without && without === sessions.current)) return;
      stopping = new AbortController();
      void keep(stopping.signal);
    },
    stop(): void {
      stopping?.abort();
      stopping = undefined;
    },
  };
}
