/**
 * The Agent Skills of every live instance as the gateway's own (SEP-2640): the instance is the first part of a skill's
 * path. Their files are resources, which are aggregated as such.
 */
import { pageOf, type Rpc, type RpcHandler, type Scope } from '../../../kernel/index.ts';
import { type Json, objectOf, objects } from '../../../schemas/loose.ts';
import { type AggregationDeps, createBackendLists } from './backend-lists.ts';
import { aggregationErrors } from './errors.ts';
import { prefixedUri, splitUri } from './prefix.ts';
import { refusalOf } from './refusal.ts';

export interface BackendSkillsDeps extends Omit<AggregationDeps, 'listChanged'> {
  rpc: Rpc;
  scope: Scope;
  pageSize: number;
}

/** Adds the methods of the extension. */
export function addBackendSkills({ rpc, scope, pageSize, ...deps }: BackendSkillsDeps): void {
  const lists = createBackendLists<Json>(deps, {
    method: 'skills/list',
    member: 'skills',
    changed: 'notifications/resources/list_changed',
  });
  scope.add('skills of instances', lists.dispose);

  /** Asks the instance that the URI names, by the URI that it knows. */
  const ask = async (method: string, { uri, cursor }: Json, signal: AbortSignal) => {
    const found = typeof uri === 'string' ? splitUri(uri) : undefined;
    if (!found) throw aggregationErrors.BAD_URI({ uri: String(uri).slice(0, 200) });
    const backend = deps.backends.get(found.id);
    const result = await backend
      .request(method, { uri: found.uri, ...(cursor !== undefined && { cursor }) }, { idempotent: true, signal })
      .catch(error => Promise.reject(refusalOf(error, { theirs: found.uri, ours: String(uri) })));
    return { result: objectOf(result), id8: backend.instance.instance_short };
  };

  const handlers: Record<string, RpcHandler> = {
    async 'skills/list'({ cursor }) {
      const found = await lists.all();
      const all = found.flatMap(({ backend, items }) =>
        items.filter(isAddressed).map(each => entryOf(each, backend.instance.instance_short)),
      );
      const { items, nextCursor } = pageOf(all, cursor, pageSize);
      return { skills: items, ...(nextCursor && { nextCursor }) };
    },
    async 'skills/get'(params, { signal }) {
      const { result, id8 } = await ask('skills/get', params, signal);
      return { skill: entryOf(objectOf(result.skill), id8) };
    },
    async 'resources/directory/read'(params, { signal }) {
      const { result, id8 } = await ask('resources/directory/read', params, signal);
      return { ...result, resources: objects(result.resources).map(each => shown(each, id8)) };
    },
  };
  for (const [name, handler] of Object.entries(handlers)) scope.add(name, rpc.method(name, handler));
}

const isAddressed = (item: unknown): boolean => typeof objectOf(item).uri === 'string';

const shown = (item: Json, id8: string): Json => ({
  ...item,
  ...(typeof item.uri === 'string' && { uri: prefixedUri(item.uri, id8) }),
});

const entryOf = (entry: Json, id8: string): Json => ({
  ...shown(entry, id8),
  ...(Array.isArray(entry.resources) && { resources: objects(entry.resources).map(each => shown(each, id8)) }),
});
