/** Change notifications: coalesced per URI until the next turn of the loop, then sent once to whoever follows. */
import type { Disposer } from '../../kernel/index.ts';

export type UpdateListener = (event: { type: 'updated' | 'removed'; uri: string }) => void;

export interface Updates {
  /** Marks `uri` as changed; however often in a burst, followers hear of it once. */
  updated(uri: string): void;
  onUpdated(uri: string, listener: UpdateListener): Disposer;
  dispose(): void;
}

/** `send` delivers one notification per URI to the followers' channels; it never buffers on our side. */
export function createUpdates(send: (uri: string) => void): Updates {
  const listeners = new Map<string, Set<UpdateListener>>();
  const changed = new Set<string>();
  let flushing: NodeJS.Immediate | undefined;

  const flush = (): void => {
    flushing = undefined;
    const uris = [...changed];
    changed.clear();
    for (const uri of uris) {
      send(uri);
      for (const listener of [...(listeners.get(uri) ?? [])]) listener({ type: 'updated', uri });
    }
  };

  return {
    updated(uri) {
      changed.add(uri);
      flushing ??= setImmediate(flush);
    },
    onUpdated(uri, listener) {
      const mine = listeners.get(uri) ?? new Set();
      listeners.set(uri, mine.add(listener));
      return () => {
        mine.delete(listener);
        if (mine.size === 0 && listeners.get(uri) === mine) listeners.delete(uri);
      };
    },
    dispose() {
      if (flushing) clearImmediate(flushing);
      changed.clear();
      listeners.clear();
    },
  };
}
