/** Change notifications: coalesced per URI for a short while, then sent once to whoever follows. */
import type { Disposer } from '../../kernel/index.ts';
import { baseOf } from './uri.ts';

export type UpdateListener = (event: { type: 'updated' | 'removed'; uri: string }) => void;

export interface UpdatesDeps {
  /** Delivers one notification of `uri` to its followers; it never buffers on our side. */
  send(uri: string): void;
  onFailure(error: unknown): void;
  /** Least ms between two rounds: a host that changes all the time must not keep the loop busy with thousands of sends. */
  restMs: number;
}

export type Updates = ReturnType<typeof createUpdates>;

export function createUpdates({ send, onFailure, restMs }: UpdatesDeps) {
  // By URI, not on the bus: ten thousand streams follow a URI each, and an update concerns those of its own.
  const listeners = new Map<string, Set<UpdateListener>>();
  const changed = new Set<string>();
  let pending: (() => void) | undefined;
  let lastRound = Number.NEGATIVE_INFINITY;

  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      onFailure(error);
    }
  };

  const flush = (): void => {
    pending = undefined;
    lastRound = performance.now();
    const uris = [...changed];
    changed.clear();
    for (const uri of uris) attempt(() => send(uri));
    for (const [uri, interested] of [...listeners]) {
      if (!uris.includes(uri) && !uris.includes(baseOf(uri))) continue;
      for (const listener of [...interested]) attempt(() => listener({ type: 'updated', uri }));
    }
  };

  const schedule = (): (() => void) => {
    const rest = lastRound + restMs - performance.now();
    if (rest > 0) {
      const timer = setTimeout(flush, rest).unref();
      return () => clearTimeout(timer);
    }
    const immediate = setImmediate(flush);
    return () => clearImmediate(immediate);
  };

  return {
    /** Marks `uri` as changed; however often in a burst, followers hear of it once. */
    updated(uri: string): void {
      changed.add(uri);
      pending ??= schedule();
    },
    /** Tells who listens to a URI that `gone` says is gone; an update of it that waits is dropped. */
    removed(gone: (uri: string) => boolean): void {
      for (const uri of changed) if (gone(uri)) changed.delete(uri);
      for (const [uri, interested] of [...listeners]) {
        if (!gone(uri)) continue;
        for (const listener of [...interested]) attempt(() => listener({ type: 'removed', uri }));
      }
    },
    onUpdated(uri: string, listener: UpdateListener): Disposer {
      const mine = listeners.get(uri) ?? new Set();
      listeners.set(uri, mine.add(listener));
      return () => {
        mine.delete(listener);
        if (mine.size === 0 && listeners.get(uri) === mine) listeners.delete(uri);
      };
    },
    dispose(): void {
      pending?.();
      changed.clear();
      listeners.clear();
    },
  };
}
