/** The connections of the gateway, one backend for each instance that can be connected to, as they come and go. */
import { type Bus, type Disposer, rpcErrors } from '../../../kernel/index.ts';
import type { Instance, InstancesService } from '../../instances/api.ts';
import type { TracingService } from '../../telemetry/tracing/api.ts';
import type { Backend, BackendsService } from './api.ts';
import { createBackend, type OwnedBackend } from './backend.ts';
import type { Driver } from './driver.ts';
import { errorOf, type Failure } from './failure.ts';
import { circuitLimits, readRetries } from './limits.ts';
import { createProber, type Prober } from './prober.ts';

export interface BackendsParts {
  instances: InstancesService;
  bus: Pick<Bus, 'on' | 'emit' | 'wants'>;
  /** The first one that has a way to an instance takes it. */
  drivers: readonly Driver[];
  timeoutMs: number;
  clientVersion: string;
  tracing?: TracingService | undefined;
  now(): number;
  onError(error: unknown): void;
}

interface Entry {
  instance: Instance;
  /** Another address needs another backend. */
  readonly address: string;
  readonly backend: OwnedBackend;
  readonly prober: Prober;
}

/** Between the last connection of a process and its end. */
const dyingMs = 50;
/** An instance that leaves in good order may still be answering. */
const inOrder = new Set(['deregistered']);

export function createBackends(parts: BackendsParts) {
  const { instances, bus, drivers, timeoutMs, clientVersion, tracing, now, onError } = parts;
  const entries = new Map<string, Entry>();
  /** Gone, but with calls in flight or connections that close. */
  const leaving = new Set<OwnedBackend>();
  const byType = new Map<string, readonly Backend[]>();
  let live: readonly Backend[] | undefined;
  let answer: Parameters<BackendsService['onQuestion']>[0] | undefined;
  let generation = -1;
  let following: Disposer[] = [];

  const listens = ({ routable }: Instance): boolean => routable && bus.wants('internal.backend.notified');

  /** What a call ran into is looked into: its process at once, and then a probe judges: a burst of calls is one finding. */
  const onFailure = (entry: Entry, { kind }: Failure): void => {
    if (kind !== 'unreachable' && kind !== 'broken' && kind !== 'gone') return;
    instances.check(entry.instance.instance_id);
    entry.prober.now();
  };

  const wayTo = (instance: Instance): { driver: Driver; address: string } | undefined => {
    for (const driver of drivers) {
      const address = driver.addressOf(instance);
      if (address !== undefined) return { driver, address };
    }
    return undefined;
  };

  const add = (instance: Instance): void => {
    const { instance_id } = instance;
    const way = wayTo(instance);
    if (!way || entries.has(instance_id)) return;
    const known = { instance, address: way.address };
    const backend = createBackend({
      instance: () => known.instance,
      driver: way.driver,
      timeoutMs,
      clientVersion,
      tracing,
      now,
      onState: (_, state) => void bus.emit(`backend.${state}`, { attributes: { instance_id } }),
      onNotification(_, method, params) {
        if (!bus.wants('internal.backend.notified')) return;
        const { instance_short } = known.instance;
        bus.emit('internal.backend.notified', { attributes: { instance_id, instance_short, method, params } });
      },
      onQuestion: async (_, method, params, signal) => {
        if (!answer) throw rpcErrors.METHOD_NOT_FOUND({ method: method.slice(0, 200) });
        return answer(instance_id, method, params, signal);
      },
      onFailure: (_, failure) => onFailure(entry, failure),
      onBroken() {
        // A process that ends closes its connections first.
        for (const ms of [0, dyingMs]) setTimeout(() => instances.check(instance_id), ms).unref();
      },
      onDeath: (_, message) => instances.report(instance_id, { kind: 'host-died', message }),
    });
    const prober = createProber(
      backend.probe,
      () => entries.size,
      finding => {
        backend.ready = finding.kind === 'reachable' ? finding.ready : null;
        if (finding.kind === 'reachable') {
          const { readiness } = finding;
          instances.report(instance_id, { kind: 'reachable', ...(readiness && { readiness }) });
          // Somebody may have begun to listen, or ended.
          backend.listen(listens(known.instance));
          return;
        }
        const kind = known.instance.row.status === 'booting' ? 'booting' : 'unreachable';
        instances.report(instance_id, { kind, message: finding.message });
      },
    );
    const entry: Entry = Object.assign(known, { backend, prober });
    generation = -1;
    entries.set(instance_id, entry);
    backend.listen(listens(instance));
  };

  const remove = (instance_id: string, because: string): void => {
    const entry = entries.get(instance_id);
    if (!entry) return;
    entries.delete(instance_id);
    generation = -1;
    entry.prober.stop();
    const { backend } = entry;
    leaving.add(backend);
    const manner = inOrder.has(because) ? 'drain' : 'cut';
    backend
      .close(because, manner)
      .catch(onError)
      .finally(() => leaving.delete(backend));
  };

  const change = (instance: Instance): void => {
    const entry = entries.get(instance.instance_id);
    if (entry && entry.address === wayTo(instance)?.address) {
      const anew = entry.instance.row.registered_at !== instance.row.registered_at;
      entry.instance = instance;
      // Who registers anew is there again: it need not wait for its next probe.
      if (anew) entry.prober.now();
      entry.backend.listen(listens(instance));
      return;
    }
    remove(instance.instance_id, 'it moved to another address');
    add(instance);
  };

  const follow = ({ instance_id }: { instance_id: string }): void => {
    const instance = instances.get(instance_id);
    try {
      if (instance) change(instance);
    } catch (error) {
      // A row with an address that is none: say so, and serve the others.
      onError(error);
    }
  };

  const current = (): readonly Backend[] => {
    if (live === undefined || generation !== instances.generation) {
      generation = instances.generation;
      byType.clear();
      live = instances.live().flatMap(({ instance_id }) => entries.get(instance_id)?.backend ?? []);
    }
    return live;
  };

  let closing: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    for (const undo of following) void undo();
    const all = [...entries.values()];
    entries.clear();
    for (const { prober } of all) prober.stop();
    await Promise.all([
      ...all.map(({ backend }) => backend.close('the gateway is shutting down', 'polite')),
      ...[...leaving].map(backend => backend.close('the gateway is shutting down', 'cut')),
    ]);
  };

  const get = (id: string): Backend => {
    const known = entries.get(id);
    if (known?.instance.routable) return known.backend;
    const { instance_id } = instances.resolve(id);
    const entry = entries.get(instance_id);
    // The directory knows it, and the change that tells of it comes next.
    if (entry) return entry.backend;
    const instance = instances.resolve(id);
    add(instance);
    const added = entries.get(instance_id);
    if (added) return added.backend;
    const reason = `no driver for ${instance.mcp_url}`;
    throw errorOf({ kind: 'unreachable', reason }, { instance, goneBecause: undefined }, '', {
      timeoutMs,
      maxBytes: 0,
    });
  };

  const service: BackendsService = {
    get,
    known(id) {
      // Without a port there is nothing to connect to: the error that says so.
      return entries.get(instances.find(id).instance_id)?.backend ?? get(id);
    },
    list: current,
    limits: { readRetries, circuit: circuitLimits },
    onQuestion(given) {
      answer = given;
      return () => {
        answer = undefined;
      };
    },
    ofType(dcc_type) {
      const all = current();
      const name = dcc_type.toLowerCase();
      const known = byType.get(name);
      if (known) return known;
      const found = all.filter(each => each.instance.dcc_type.toLowerCase() === name);
      // Only types that exist are remembered: anybody may ask for any name.
      if (found.length > 0) byType.set(name, found);
      return found;
    },
  };
  return {
    ...service,
    /** Follows the instances from now on. */
    start(): void {
      following = [
        bus.on('instance.appeared', ({ attributes }) => follow(attributes)),
        bus.on('instance.changed', ({ attributes }) => follow(attributes)),
        bus.on('instance.left', ({ attributes: { instance_id, reason } }) => remove(instance_id, reason)),
      ];
      for (const instance of instances.list()) follow(instance);
    },
    close(): Promise<void> {
      closing ??= end();
      return closing;
    },
  };
}
