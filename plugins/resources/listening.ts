/** Resources that sessionless clients follow: `resourceSubscriptions` of the filter of a subscriptions/listen stream. */
import type { Disposer } from '../../kernel/index.ts';
import type { Listener, ListenSource } from '../mcp/api.ts';
import type { Following } from './following.ts';
import type { Resources } from './resources.ts';
import type { Updates } from './updates.ts';
import { schemeOf } from './uri.ts';

export interface ListeningDeps {
  resources: Pick<Resources, 'require'>;
  following: Following;
  updates: Pick<Updates, 'onUpdated'>;
  /** Most URIs of one stream. */
  limit: number;
}

/** Agrees to the URIs that can be followed, and tells the stream of their changes. */
export function createListening({ resources, following, updates, limit }: ListeningDeps): ListenSource {
  const follow = async (uri: string, listener: Listener): Promise<void> => {
    const producer = resources.require(schemeOf(uri), uri);
    const leave: Disposer | undefined = await following.take(producer, uri);
    if (listener.scope.disposed) {
      await leave?.();
      return;
    }
    const stop = updates.onUpdated(uri, ({ type }) => {
      if (type === 'updated' || !producer.polled) listener.send('notifications/resources/updated', { uri });
    });
    listener.scope.add(uri, async () => {
      await stop();
      await leave?.();
    });
  };

  return async (wanted, listener) => {
    if (!Array.isArray(wanted)) return undefined;
    const uris = [...new Set(wanted)].filter(each => typeof each === 'string').slice(0, limit);
    const followed = await Promise.all(
      uris.map(uri =>
        follow(uri, listener).then(
          () => true,
          () => false,
        ),
      ),
    );
    return uris.filter((_uri, index) => followed[index]);
  };
}
