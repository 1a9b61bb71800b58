/** Tells a producer when somebody begins to follow one of its URIs, and when nobody does any more. */
import type { Disposer } from '../../kernel/index.ts';
import type { ResourceProducer } from './api.ts';

interface Followed {
  followers: number;
  stop: Promise<Disposer>;
}

export type Following = ReturnType<typeof createFollowing>;

/** `onFailure` is told of a producer that failed to let go. */
export function createFollowing(onFailure: (error: unknown) => void) {
  const followed = new Map<string, Followed>();

  const leave = (uri: string, entry: Followed): void => {
    entry.followers -= 1;
    if (entry.followers > 0) return;
    if (followed.get(uri) === entry) followed.delete(uri);
    entry.stop.then(stop => stop()).catch(onFailure);
  };

  return {
    /**
     * Counts one more follower of `uri`; undefined when its producer need not know. Rejects with the producer's refusal.
     * The disposer takes the follower back.
     */
    take(producer: ResourceProducer, uri: string): Promise<Disposer> | undefined {
      if (!producer.follow) return undefined;
      const { follow } = producer;
      const entry = followed.get(uri) ?? { followers: 0, stop: (async () => follow.call(producer, uri))() };
      followed.set(uri, entry);
      entry.followers += 1;
      let left = false;
      const once: Disposer = () => {
        if (!left) leave(uri, entry);
        left = true;
      };
      return entry.stop.then(
        () => once,
        error => {
          if (followed.get(uri) === entry) followed.delete(uri);
          throw error;
        },
      );
    },
  };
}
