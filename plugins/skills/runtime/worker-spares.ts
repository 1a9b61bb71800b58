/** Keeps one booted thread waiting, so that a load or a respawn does not wait for a thread to start. */
import type { Realm } from './worker-realm.ts';

export function createSpares(spawn: () => Promise<Realm>) {
  let waiting: Realm | undefined;
  let starting = false;
  let disposed = false;
  let scheduled: NodeJS.Immediate | undefined;

  const start = async (): Promise<void> => {
    try {
      const realm = await spawn();
      if (disposed || waiting) void realm.end();
      else waiting = realm;
    } catch {
      // No spare: the next load starts its own thread and reports why it cannot.
    } finally {
      starting = false;
    }
  };

  return {
    async take(): Promise<Realm> {
      const realm = waiting;
      waiting = undefined;
      return realm && !realm.ended ? realm : spawn();
    },
    refill(): void {
      if (disposed || starting || (waiting && !waiting.ended)) return;
      waiting = undefined;
      starting = true;
      scheduled = setImmediate(() => void start());
    },
    async dispose(): Promise<void> {
      disposed = true;
      clearImmediate(scheduled);
      await waiting?.end();
      waiting = undefined;
    },
  };
}
