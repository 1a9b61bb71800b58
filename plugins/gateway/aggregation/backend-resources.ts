/** The resources of every live instance as one producer, for every scheme that the gateway does not have itself. */
import type { Disposer } from '../../../kernel/index.ts';
import { objectOf, texts } from '../../../schemas/loose.ts';
import { clientMeta } from '../../../schemas/on-behalf.ts';
import type { ResourceContents, ResourceProducer, ResourceRecord, ResourceTemplate } from '../../resources/api.ts';
import type { Backend } from '../backends/api.ts';
import { type AggregationDeps, createBackendLists } from './backend-lists.ts';
import { aggregationErrors } from './errors.ts';
import { prefixedUri, splitUri } from './prefix.ts';
import { refusalOf, resourceRefusalOf } from './refusal.ts';

/** Schemes that are the gateway's own: an instance that has them is not reached through the gateway. */
const own = /^(gateway|resources):\/\//;

/** `updated` is told of a changed resource by its URI of the gateway. */
export function createBackendResources(
  deps: AggregationDeps,
  updated: (uri: string) => void,
): { producer: ResourceProducer; dispose: Disposer } {
  const { backends, bus, log, listChanged } = deps;
  const changed = 'notifications/resources/list_changed';
  const lists = createBackendLists<ResourceRecord>(deps, { method: 'resources/list', member: 'resources', changed });
  const templates = createBackendLists<ResourceTemplate>(deps, {
    changed,
    method: 'resources/templates/list',
    member: 'resourceTemplates',
  });
  /** What is followed at an instance, to be asked for again when its session is a new one. */
  const followed = new Map<string, Map<string, number>>();

  const find = (uri: string): { backend: Backend; uri: string } => {
    try {
      const found = splitUri(uri);
      if (!found) throw aggregationErrors.BAD_URI({ uri: uri.slice(0, 200) });
      return { backend: backends.get(found.id), uri: found.uri };
    } catch (error) {
      throw resourceRefusalOf(error, uri);
    }
  };

  const offs = [
    bus.on('internal.backend.notified', ({ attributes: { method, params, instance_short } }) => {
      if (method === changed) return listChanged();
      if (method !== 'notifications/resources/updated' || typeof params.uri !== 'string') return;
      updated(prefixedUri(params.uri, instance_short));
    }),
    bus.on('instance.left', ({ attributes }) => void limits.delete(attributes.instance_id)),
    bus.on('backend.reconnected', ({ attributes: { instance_id } }) => {
      for (const uri of followed.get(instance_id)?.keys() ?? []) {
        const backend = backends.known(instance_id);
        subscribe(backend, uri)
          // Whatever happened while nobody listened: its followers look again.
          .then(() => updated(prefixedUri(uri, backend.instance.instance_short)))
          .catch(err => log.warn({ backend: backend.instance_id, uri, err }, 'a resource cannot be followed any more'));
      }
    }),
  ];

  /** What an instance lets each client follow, as it said last; one of another make says nothing. */
  const limits = new Map<string, number>();
  const counts = new WeakMap<object, Map<string, number>>();
  const subscribe = async (backend: Backend, uri: string): Promise<void> => {
    const result = objectOf(await backend.request('resources/subscribe', { uri }, { idempotent: true }));
    const { max_session_subscriptions: limit } = objectOf(objectOf(result._meta)[clientMeta]);
    if (typeof limit === 'number') limits.set(backend.instance_id, limit);
  };

  const note = (backend: Backend, uri: string, by: 1 | -1): boolean => {
    const mine = followed.get(backend.instance_id) ?? new Map<string, number>();
    followed.set(backend.instance_id, mine);
    const count = (mine.get(uri) ?? 0) + by;
    if (count > 0) mine.set(uri, count);
    else mine.delete(uri);
    if (mine.size === 0) followed.delete(backend.instance_id);
    return count <= 0;
  };

  /** What is no longer followed is told one after the other: a session with a thousand of them ends at once. */
  const leaving = new Map<string, Promise<void>>();
  const leave = (backend: Backend, uri: string): Promise<void> => {
    const { instance_id: id } = backend;
    const next = (leaving.get(id) ?? Promise.resolve()).then(async () => {
      // Followed again in the meantime, or nobody is there any more.
      if (backend.closed || followed.get(id)?.has(uri)) return;
      await backend
        .request('resources/unsubscribe', { uri }, { idempotent: true })
        .catch(err => log.warn({ backend: id, uri, err }, 'a resource is still followed at its instance'));
    });
    leaving.set(id, next);
    return next.finally(() => {
      if (leaving.get(id) === next) leaving.delete(id);
    });
  };

  const shown = <T extends { name: string }>(item: T, { instance }: Backend): T => ({
    ...item,
    _meta: { ...(item as { _meta?: object })._meta, dcc: dccOf(instance) },
  });

  return {
    producer: {
      scheme: '*',
      opaque: true,
      async list() {
        const found = await lists.all();
        return found.flatMap(({ backend, items }) =>
          items
            .filter(each => typeof each?.uri === 'string' && !own.test(each.uri))
            .map(each => ({ ...shown(each, backend), uri: prefixedUri(each.uri, backend.instance.instance_short) })),
        );
      },
      async templates() {
        const found = await templates.all();
        return found.flatMap(({ backend, items }) =>
          items
            .filter(each => typeof each?.uriTemplate === 'string' && !own.test(each.uriTemplate))
            .map(each => ({
              ...shown(each, backend),
              uriTemplate: prefixedUri(each.uriTemplate, backend.instance.instance_short),
            })),
        );
      },
      // Its instance says so when it is asked to follow.
      knows: () => true,
      async read(uri, { signal }) {
        const { backend, uri: wanted } = find(uri);
        const result = await backend
          .request('resources/read', { uri: wanted }, { idempotent: true, signal })
          .catch(error => Promise.reject(resourceRefusalOf(error, uri, wanted)));
        const { contents } = (result ?? {}) as { contents?: ResourceContents[] };
        if (!Array.isArray(contents)) return undefined;
        const id8 = backend.instance.instance_short;
        return contents.map(each => ({
          ...each,
          uri: typeof each.uri === 'string' ? prefixedUri(each.uri, id8) : uri,
        }));
      },
      async complete(uriTemplate, variable, value) {
        const { backend, uri } = find(uriTemplate);
        const ref = { type: 'ref/resource', uri };
        const params = { ref, argument: { name: variable, value } };
        const result = await backend
          .request('completion/complete', params, { idempotent: true })
          .catch(error => Promise.reject(refusalOf(error, { theirs: uri, ours: uriTemplate })));
        return texts(objectOf(objectOf(result).completion).values);
      },
      async follow(uri) {
        const { backend, uri: wanted } = find(uri);
        note(backend, wanted, 1);
        try {
          await subscribe(backend, wanted);
        } catch (error) {
          note(backend, wanted, -1);
          throw resourceRefusalOf(error, uri, wanted);
        }
        return async () => {
          if (note(backend, wanted, -1)) await leave(backend, wanted);
        };
      },
      admit(uri, follower) {
        const { instance_id, instance } = find(uri).backend;
        const mine = counts.get(follower) ?? new Map<string, number>();
        counts.set(follower, mine);
        const count = (by: 1 | -1): number => (mine.get(instance_id) ?? 0) + by;
        const limit = limits.get(instance_id) ?? Number.POSITIVE_INFINITY;
        if (count(1) > limit) throw aggregationErrors.TOO_MANY({ limit, instance: instance.instance_short });
        mine.set(instance_id, count(1));
        return () => void mine.set(instance_id, count(-1));
      },
    },
    dispose() {
      for (const off of offs) void off();
      lists.dispose();
      templates.dispose();
    },
  };
}

/** Which instance an item comes from. */
export const dccOf = ({ dcc_type, instance_id, instance_short }: Backend['instance']) => ({
  dcc_type,
  instance_id,
  instance_short,
});
