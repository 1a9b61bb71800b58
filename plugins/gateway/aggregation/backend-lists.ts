/**
 * One list of every live instance, asked once and kept until the instance says that it changed. A slow instance delays
 * nobody: what it said last stands for it, until it answers.
 */
import type { Bus, Logger } from '../../../kernel/index.ts';
import type { Backend, BackendsService } from '../backends/api.ts';

/** How long a client's list waits for an instance; the question itself goes on. */
const patienceMs = 1500;
/** Age after which a list is asked again although nobody said that it changed. */
const freshMs = 60_000;
const mostPages = 100;
const mostItems = 10_000;

export interface AggregationDeps {
  backends: BackendsService;
  bus: Pick<Bus, 'on'>;
  log: Logger;
  /** Told when what all instances list together may be another. */
  listChanged(): void;
}

export interface ListOf {
  /** `resources/list` and the like. */
  method: string;
  /** Member of the result that holds the items. */
  member: string;
  /** Notification that ends a kept list. */
  changed: string;
}

interface Kept<T> {
  items: readonly T[];
  askedAt: number;
  stale: boolean;
  asking: Promise<readonly T[]> | undefined;
}

export function createBackendLists<T>(
  { backends, bus, log }: Omit<AggregationDeps, 'listChanged'>,
  { method, member, changed }: ListOf,
) {
  const kept = new Map<string, Kept<T>>();

  const stale = ({ instance_id }: { instance_id: string }): void => {
    const known = kept.get(instance_id);
    if (known) known.stale = true;
  };
  const offs = [
    bus.on('internal.backend.notified', ({ attributes }) => {
      if (attributes.method === changed) stale(attributes);
    }),
    bus.on('backend.connected', ({ attributes }) => stale(attributes)),
    bus.on('backend.reconnected', ({ attributes }) => stale(attributes)),
    bus.on('backend.lost', ({ attributes }) => stale(attributes)),
    bus.on('instance.left', ({ attributes }) => void kept.delete(attributes.instance_id)),
  ];

  const ask = async (backend: Backend): Promise<readonly T[]> => {
    const items: T[] = [];
    let cursor: unknown;
    for (let page = 0; page < mostPages && items.length < mostItems; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = (await backend.request(method, params, { idempotent: true })) as Record<string, unknown>;
      const found = result?.[member];
      if (Array.isArray(found)) items.push(...(found as T[]));
      if (typeof result?.nextCursor !== 'string' || result.nextCursor === cursor) break;
      cursor = result.nextCursor;
    }
    return items.slice(0, mostItems);
  };

  const entryOf = (backend: Backend): Kept<T> => {
    const known = kept.get(backend.instance_id);
    if (known) return known;
    const made: Kept<T> = { items: [], askedAt: 0, stale: true, asking: undefined };
    kept.set(backend.instance_id, made);
    return made;
  };

  const refresh = (backend: Backend, entry: Kept<T>): Promise<readonly T[]> => {
    entry.stale = false;
    const asking = ask(backend).then(
      items => {
        entry.items = items;
        entry.askedAt = Date.now();
        return items;
      },
      err => {
        // One that has no such method has nothing to list; the others may have it next time.
        entry.stale = true;
        log.debug({ backend: backend.instance_id, method, err }, 'an instance did not list');
        return entry.items;
      },
    );
    entry.asking = asking;
    void asking.finally(() => {
      if (entry.asking === asking) entry.asking = undefined;
    });
    return asking;
  };

  const itemsOf = async (backend: Backend): Promise<readonly T[]> => {
    const entry = entryOf(backend);
    const fresh = !entry.stale && Date.now() - entry.askedAt < freshMs;
    if (fresh && !entry.asking) return entry.items;
    const asking = (!entry.stale && entry.asking) || refresh(backend, entry);
    return Promise.race([asking, patience().then(() => entry.items)]);
  };

  return {
    /** The items of every live instance, in the order of the instances. */
    all: () => Promise.all(backends.list().map(async backend => ({ backend, items: await itemsOf(backend) }))),
    dispose(): void {
      for (const off of offs) void off();
    },
  };
}

const patience = (): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, patienceMs).unref();
  });
