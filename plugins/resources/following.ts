/** Tells a producer when somebody begins to follow one of its URIs, and when nobody does any more. */
import type { Disposer } from '../../kernel/index.ts';
import type { ResourceProducer } from './api.ts';

interface Followed {
  followers: number;
  stop: Promise<Disposer>;
}

export type Following = ReturnType<typeof createFollowing>;

/** `ownUri` is what a producer calls a URI; `onFailure` is told of a producer that failed to let go. */
export function createFollowing(
  ownUri: (producer: ResourceProducer, uri: string) => Promise<string>,
  onFailure: (error: unknown) => void,
) {
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
    take(producer: ResourceProducer, uri: string, follower: object): Promise<Disposer> | undefined {
      if (!producer.follow) return undefined;
      const { follow } = producer;
      const begin = async (): Promise<Disposer> => follow.call(producer, await ownUri(producer, uri));
      const entry = followed.get(uri) ?? { followers: 0, stop: begin() };
      followed.set(uri, entry);
      entry.followers += 1;
      return entry.stop.then(
        () => {
          let part: Disposer | undefined;
          try {
            part = producer.admit?.(uri, follower);
          } catch (error) {
            leave(uri, entry);
            throw error;
          }
          let left = false;
          return () => {
            if (left) return;
            left = true;
            void part?.();
            leave(uri, entry);
          };
        },
        error => {
          if (followed.get(uri) === entry) followed.delete(uri);
          throw error;
        },
      );
    },
  };
}
