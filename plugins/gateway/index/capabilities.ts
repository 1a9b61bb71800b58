/** The capability index: what every live instance can do, searched and found by slug. */

import type { Bus, Disposer } from '../../../kernel/index.ts';
import { createGroups } from '../../../schemas/groups.ts';
import { parseSlug, type Slug, slugHost, slugOf } from '../../../schemas/slug.ts';
import type { Instance, InstanceEvent, InstancesService } from '../../instances/api.ts';
import type { ApprovalsService } from '../../policy/approvals/api.ts';
import type { SearchService } from '../../search/api.ts';
import type { BackendsService } from '../backends/api.ts';
import type { CapabilitiesService, CapabilityRecord, InstanceIndexState } from './api.ts';
import { createApproved } from './approved.ts';
import { capabilityErrors } from './errors.ts';
import { readInstance } from './instance-reader.ts';
import { createRefresher } from './refresher.ts';
import { recordShape } from './search-shape.ts';
import { createRecordStore } from './store.ts';

export interface CapabilitiesDeps {
  instances: Pick<InstancesService, 'live' | 'resolve' | 'get'>;
  backends: Pick<BackendsService, 'get'>;
  bus: Pick<Bus, 'on' | 'emit'>;
  search: Pick<SearchService, 'ranked'>;
  /** The tools of an instance cannot be listed, or not all of them; told once while it lasts. */
  onProblem(instance_id: string, problem: string): void;
  onError(error: unknown): void;
  approvals?: ApprovalsService | undefined;
}

export function createCapabilities(deps: CapabilitiesDeps) {
  const { instances, backends, bus, onProblem, onError } = deps;
  const store = createRecordStore(deps.search.ranked(recordShape, { lexicon: true }));
  const approved = createApproved(deps.approvals);
  const states = new Map<string, InstanceIndexState>();
  /** Instances whose tools are in the index. */
  const read = new Set<string>();
  const followed: Disposer[] = [];
  let closed = false;

  const replace = async (instance_id: string, records: readonly CapabilityRecord[]): Promise<void> => {
    if (!(await store.replace(instance_id, records)) || closed) return;
    bus.emit('capabilities.changed', { attributes: { generation: store.generation, size: store.size, instance_id } });
  };

  /** By host type and first digits, which stand for an instance in slugs. */
  const alike = createGroups();
  const likeness = ({ dcc_type, instance_short }: Pick<InstanceEvent, 'dcc_type' | 'instance_short'>): string =>
    `${instance_short} ${dcc_type}`;
  /** Other instances with the same first digits and host type. */
  const twins = (event: Pick<InstanceEvent, 'instance_id' | 'dcc_type' | 'instance_short'>): string[] =>
    [...alike.of(likeness(event))].filter(each => each !== event.instance_id);

  /** What stands for the instance in slugs: its first digits, the whole id where others share them. */
  const segmentOf = (instance_id: string): string => {
    const instance = instances.get(instance_id);
    if (!instance) return instance_id.slice(0, 8);
    return twins(instance).length > 0 ? instance_id : instance.instance_short;
  };

  const told = new Map<string, string>();
  const tell = (instance_id: string, problem: string): void => {
    if (told.get(instance_id) === problem) return;
    told.set(instance_id, problem);
    onProblem(instance_id, problem);
  };

  const refresher = createRefresher({
    async read(instance_id, signal) {
      const backend = backends.get(instance_id);
      const { problem, ...reading } = await readInstance(backend, signal, segmentOf(instance_id));
      const records = await approved.admitted(backend.instance, reading);
      signal.throwIfAborted();
      await replace(instance_id, records);
      read.add(instance_id);
      if (problem !== undefined) tell(instance_id, problem);
      return problem;
    },
    done(instance_id, problem) {
      const tools = store.ofInstance(instance_id).length;
      // One failure may be an instance that is about to go: its row says so. The second is worth a word.
      if (problem === undefined) told.delete(instance_id);
      else if (states.get(instance_id)?.problem !== undefined) tell(instance_id, problem);
      states.set(instance_id, { instance_id, tools, ...(problem !== undefined && { problem }) });
    },
  });

  const drop = (instance_id: string): void => {
    refresher.forget(instance_id);
    read.delete(instance_id);
    states.delete(instance_id);
    told.delete(instance_id);
    approved.drop(instance_id);
    void replace(instance_id, []).catch(onError);
  };

  const follow = (event: InstanceEvent, news: boolean): void => {
    const { instance_id, routable } = event;
    alike.put(instance_id, routable ? likeness(event) : undefined);
    if (!routable) drop(instance_id);
    else if (news || !states.has(instance_id)) refresher.soon(instance_id);
  };
  const renameTwins = (event: InstanceEvent): void => {
    for (const twin of twins(event)) refresher.soon(twin);
  };

  const find = (text: string): CapabilityRecord => {
    const slug = parseSlug(text);
    if (!slug) throw capabilityErrors.SLUG_INVALID({ tool_slug: text.slice(0, 200), candidates: [] });
    const instance = instances.resolve(slug.id);
    if (slugHost(instance.dcc_type) !== slug.host) {
      throw unknown(text, `instance ${slug.id} is of type ${instance.dcc_type}`, slug, instance);
    }
    const exact = store.get(instance.instance_id, slugOf(instance.dcc_type, instance.instance_short, slug.tool));
    if (exact) return exact;
    const own = store.ofInstance(instance.instance_id);
    const meant = firstOf(
      own.filter(each => each.backend_tool === slug.tool),
      own.filter(each => each.callable_id === slug.tool),
      own.filter(each => each.callable_id.endsWith(`__${slug.tool}`)),
    );
    if (meant.length > 1) {
      const candidates = meant.map(each => each.tool_slug);
      throw capabilityErrors.SLUG_AMBIGUOUS({
        ...{ tool_slug: text, count: candidates.length, shown: candidates.slice(0, 10).join(', ') },
        candidates: candidates.slice(0, 10),
      });
    }
    const [record] = meant;
    if (record) return record;
    service.checkApproved(instance.instance_id, slug.tool);
    const waiting = !read.has(instance.instance_id);
    throw unknown(text, waiting ? 'its instance has not been read yet, try again' : '', slug, instance);
  };

  const unknown = (text: string, reason: string, slug: Slug, instance: Instance) => {
    const { hits } = store.search({ query: slug.tool, limit: 5 }, instance.instance_id);
    const candidates = hits.map(hit => hit.tool_slug);
    const advice = candidates.length > 0 ? `did you mean ${candidates.join(', ')}?` : 'search for one that exists';
    const why = reason === '' ? advice : `${reason}; ${advice}`;
    return capabilityErrors.SLUG_UNKNOWN({ tool_slug: text.slice(0, 200), reason: why, candidates });
  };

  const service: CapabilitiesService = {
    get generation() {
      return store.generation;
    },
    get size() {
      return store.size;
    },
    search: input =>
      store.search(input, input.instance_id ? instances.resolve(input.instance_id).instance_id : undefined),
    find,
    ofInstance: instance_id => store.ofInstance(instance_id),
    checkApproved(instance_id, tool) {
      const kept = approved.kept(instance_id, tool);
      if (kept) throw capabilityErrors.QUARANTINED({ tool_slug: kept.tool_slug });
    },
    get quarantines() {
      return approved.keepsAny();
    },
    state: () => [...states.values()],
    unread: () =>
      instances.live().flatMap(instance => {
        const { instance_id } = instance;
        return read.has(instance_id) ? [] : [{ instance, problem: states.get(instance_id)?.problem }];
      }),
    async refresh(instance_id) {
      if (instance_id !== undefined) return refresher.now(instances.resolve(instance_id).instance_id);
      await Promise.allSettled(instances.live().map(each => refresher.now(each.instance_id)));
    },
  };

  return {
    service,
    /** Begins to follow the instances. */
    start(): void {
      followed.push(
        bus.on('instance.appeared', ({ attributes }) => {
          follow(attributes, true);
          renameTwins(attributes);
        }),
        bus.on('instance.changed', ({ attributes }) => follow(attributes, false)),
        bus.on('instance.left', ({ attributes }) => {
          alike.put(attributes.instance_id, undefined);
          drop(attributes.instance_id);
          renameTwins(attributes);
        }),
        bus.on('internal.backend.notified', ({ attributes: { instance_id, method } }) => {
          if (method === 'notifications/tools/list_changed') refresher.soon(instance_id);
        }),
        bus.on('backend.reconnected', ({ attributes }) => refresher.soon(attributes.instance_id)),
        bus.on('approval.accepted', () => {
          for (const instance of instances.live()) refresher.soon(instance.instance_id);
        }),
      );
      for (const instance of instances.live()) {
        alike.put(instance.instance_id, likeness(instance));
        refresher.soon(instance.instance_id);
      }
    },
    close(): void {
      closed = true;
      for (const stop of followed) void stop();
      refresher.close();
    },
  };
}

const firstOf = <T>(...lists: T[][]): T[] => lists.find(list => list.length > 0) ?? [];
