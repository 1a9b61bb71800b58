/**
 * Broadcasts to every session that has a standing stream. A broadcast is numbered; each session knows the last number it
 * received, so that one that is written to directly, or opens its stream, in the middle of a pass catches up first.
 */

import { createSlices } from '../../../kernel/index.ts';
import type { Session } from '../sessions/session.ts';
import type { Frame } from './frame.ts';

export type Fanout = ReturnType<typeof createFanout>;

/** The clock is read once per so many writes. */
const writesPerLook = 16;

/** Calls `visit` for each of many clients, in slices that let the loop turn in between; the first one at once. */
export async function forEachClient<T>(clients: Iterable<T>, visit: (client: T) => void): Promise<void> {
  const turn = createSlices(writesPerLook);
  for (const client of clients) {
    visit(client);
    const wait = turn();
    if (wait) await wait;
  }
}

/** `sessions` is read live: who joins during a pass has nothing to catch up on. */
export function createFanout(sessions: () => Iterable<Session>) {
  const pending: { number: number; frame: Frame }[] = [];
  let issued = 0;
  let passing = false;

  const catchUp = (session: Session): void => {
    if (session.broadcasts === issued) return;
    for (const { number, frame } of pending) {
      if (number > session.broadcasts && session.admits(frame)) session.standing?.send(frame);
    }
    session.broadcasts = issued;
  };

  const pass = (): void => {
    passing = true;
    const covered = issued;
    void forEachClient(sessions(), catchUp).then(() => {
      while (pending[0] && pending[0].number <= covered) pending.shift();
      passing = false;
      if (pending.length > 0) pass();
    });
  };

  return {
    get issued(): number {
      return issued;
    },
    /** Sends to every session; returns before all have received it when there are many. */
    broadcast(frame: Frame): void {
      issued += 1;
      pending.push({ number: issued, frame });
      if (!passing) pass();
    },
    /** Delivers to one session what was broadcast and has not reached it yet. */
    catchUp,
  };
}
