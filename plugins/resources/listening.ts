/** Resources that sessionless clients follow: `resourceSubscriptions` of the filter of a subscriptions/listen stream. */
import type { Disposer } from '../../kernel/index.ts';
import type { Listener, ListenSource } from '../mcp/api.ts';
import type { Following } from './following.ts';
import type { Resources } from './resources.ts';
import type { Updates } from './updates.ts';
import { schemeOf } from './uri.ts';

/** Resources looked for at a time, for one client that names many. */
const atOnce = 16;

export interface ListeningDeps {
  resources: Pick<Resources, 'require' | 'assertKnown'>;
  following: Following;
  updates: Pick<Updates, 'onUpdated'>;
  /** Most URIs of one stream. */
  limit: number;
}

/** Agrees to the URIs that can be followed, and tells the stream of their changes. */
export function createListening({ resources, following, updates, limit }: ListeningDeps): ListenSource {
  const follow = async (uri: string, listener: Listener, gone: AbortSignal): Promise<void> => {
    const producer = resources.require(schemeOf(uri), uri);
    await resources.assertKnown(producer, uri, gone);
    const leave: Disposer | undefined = await following.take(producer, uri, listener);
    if (gone.aborted) {
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
    if (!Array.isArray(wanted) || listener.scope.disposed) return undefined;
    const gone = new AbortController();
    listener.scope.add('looking', () => gone.abort());
    const uris = [...new Set(wanted)].filter(each => typeof each === 'string').slice(0, limit);
    const agreed: string[] = [];
    for (let begun = 0; begun < uris.length; begun += atOnce) {
      const some = uris.slice(begun, begun + atOnce);
      const followed = await Promise.allSettled(some.map(uri => follow(uri, listener, gone.signal)));
      agreed.push(...some.filter((_uri, index) => followed[index]?.status === 'fulfilled'));
    }
    return agreed;
  };
}
