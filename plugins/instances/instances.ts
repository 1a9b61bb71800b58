/** The merged directory: what every source asserts, what was found out, and who is told when it changes. */
import type { Bus } from '../../kernel/index.ts';
import { sameListener } from './address.ts';
import type {
  Instance,
  InstanceCounts,
  InstanceEvent,
  InstanceFinding,
  InstanceRow,
  InstanceSource,
  InstancesService,
  SourceHandle,
} from './api.ts';
import { type Assertion, createAssertions, sourceOrder } from './assertions.ts';
import { createDisputes } from './disputes.ts';
import { fullRow } from './full-row.ts';
import { createGone } from './gone.ts';
import { createInstance, departed, type Finding, noFinding, sameInstance } from './instance.ts';
import type { RegistryProblem } from './registry/api.ts';
import { remoteRow } from './remote-row.ts';
import { createResolution } from './resolution.ts';

export interface InstancesDeps {
  now: () => number;
  staleMs: number;
  /** Whether the owner process of a row lives; null when that cannot be known. */
  isAlive: (row: InstanceRow) => boolean | null;
  /** Deletes the file of an instance whose process has ended. */
  removeFile: (instanceId: string) => void;
  bus: Pick<Bus, 'emit'>;
  /** Whether an address is the gateway's own. */
  isOwn: (address: { host: string; port: number }) => boolean;
  /** Told of claims that are not believed. */
  onDispute: (about: string, reason: string) => void;
}

const keptProblems = 1000;
const diedReasons = new Set(['exited', 'host-died']);

export type Instances = ReturnType<typeof createInstances>;

export function createInstances(deps: InstancesDeps) {
  const { now, staleMs, removeFile, bus } = deps;
  const assertions = createAssertions();
  const findings = new Map<string, Finding>();
  const current = new Map<string, Instance>();
  const gone = createGone();
  const found: RegistryProblem[] = [];
  const addProblems = (problems: readonly RegistryProblem[]): void => {
    found.push(...problems);
    if (found.length > keptProblems) found.splice(0, found.length - keptProblems);
  };
  const disputes = createDisputes((about, reason) => {
    addProblems([{ file: about, reason, at: now() }]);
    deps.onDispute(about, reason);
  });
  let generation = 0;
  let evicted = 0;
  let sorted: readonly Instance[] | undefined;
  let callable: readonly Instance[] | undefined;

  const isStale = ({ row, at, source, ttlMs }: Assertion): boolean => {
    // Who has switched heartbeats off is judged by its process alone.
    if (source === 'file' && row.extras.heartbeat_secs === 0) return row.status === 'stale';
    return row.status === 'stale' || now() - at > Math.max(staleMs, Number.isFinite(ttlMs) ? ttlMs : 0);
  };

  const tellLeft = (last: Instance, reason: string, message: string): void => {
    bus.emit('instance.left', { attributes: { ...eventOf(last), reason, message } });
  };

  /** Brings the instance up to what is asserted and found; tells what changed. */
  const settle = (instanceId: string, reason?: string, message?: string): void => {
    const before = current.get(instanceId);
    const believed = assertions.believed(instanceId, each => !isStale(each));
    const claims = assertions.claims(instanceId);
    if (claims.length > 1) disputes.compare(claims, believed);
    if (!believed) {
      if (!before) return;
      const why = reason ?? 'deregistered';
      const told = message ?? why;
      const last = departed(before, diedReasons.has(why), { kind: why, message: told, at: now() });
      current.delete(instanceId);
      findings.delete(instanceId);
      sorted = callable = undefined;
      gone.add(last, why, told);
      generation += 1;
      tellLeft(last, why, told);
      return;
    }
    // What was found at another address says nothing about this one.
    if (before && !sameListener(before.row, believed.row)) findings.delete(instanceId);
    const finding = findings.get(instanceId) ?? noFinding;
    const next = createInstance(believed, finding, { stale: isStale(believed), dead: false });
    current.set(instanceId, next);
    sorted = callable = undefined;
    if (!before) {
      gone.forget(instanceId);
      generation += 1;
      bus.emit('instance.appeared', { attributes: eventOf(next) });
    } else if (!sameInstance(before, next)) {
      const silent = next.stale && !before.stale;
      const why = reason ?? (silent ? 'heartbeat-timeout' : undefined);
      generation += 1;
      const attributes: InstanceEvent = { ...eventOf(next), ...(why !== undefined && { reason: why }) };
      if (silent) attributes.message = `no heartbeat for ${Math.round((now() - next.last_heartbeat) / 1000)} s`;
      bus.emit('instance.changed', { attributes });
    }
  };

  const present = (): readonly Instance[] => {
    sorted ??= [...current.values()].sort(byTypeAndAge);
    return sorted;
  };
  const live = (): readonly Instance[] => {
    callable ??= present().filter(each => each.routable);
    return callable;
  };
  const resolution = createResolution({ present, byId: id => current.get(id), gone: gone.list });

  /** A process that has ended, or whose host has: nobody renews its row any more. */
  const bury = (instanceId: string, reason: string, message: string): void => {
    assertions.removeAll(instanceId);
    removeFile(instanceId);
    settle(instanceId, reason, message);
  };

  const report = (instanceId: string, finding: InstanceFinding): void => {
    const instance = current.get(instanceId);
    if (!instance) return;
    if (finding.kind === 'host-died') {
      bury(instanceId, 'host-died', finding.message);
      return;
    }
    const before = findings.get(instanceId) ?? noFinding;
    const next = nextFinding(before, finding as LivingFinding, now());
    findings.set(instanceId, next);
    const assertion = assertions.of(instance.source).get(instanceId);
    if (finding.kind === 'reachable' && assertion?.answering) assertions.set({ ...assertion, at: now() });
    const { unreachableSince: since = now() } = next;
    if (assertion && now() - since > assertion.ttlMs) {
      const why = `no connection for longer than its time to live of ${assertion.ttlMs / 1000} s`;
      assertions.remove(instance.source, instanceId);
      settle(instanceId, 'unreachable', `${why}: ${next.last_error?.message}`);
      return;
    }
    settle(instanceId, finding.kind === 'reachable' ? undefined : finding.kind);
    if (finding.kind !== 'reachable' && before.state !== finding.kind) {
      const { message } = finding;
      bus.emit(`instance.${finding.kind}`, {
        attributes: { ...eventOf(current.get(instanceId) ?? instance), message },
      });
    }
  };

  /** A row whose owner process has ended. */
  const reap = (assertion: Assertion): void => {
    const { row } = assertion;
    const known = current.has(row.instance_id) || gone.get(row.instance_id) !== undefined;
    evicted += gone.get(row.instance_id) ? 0 : 1;
    if (current.has(row.instance_id)) {
      bury(row.instance_id, 'exited', `process ${row.pid} has ended`);
      return;
    }
    removeFile(row.instance_id);
    if (known) return;
    // Dead before it was ever seen alive.
    const message = `process ${row.pid} had ended`;
    const seen = createInstance(assertion, noFinding, { stale: false, dead: true });
    const corpse = departed(seen, true, { kind: 'exited', message, at: now() });
    gone.add(corpse, 'exited', message);
    tellLeft(corpse, 'exited', message);
  };

  const service: Omit<InstancesService, 'refresh' | 'refreshMs'> = {
    get generation() {
      return generation;
    },
    list({ include_stale = true, include_dead = false } = {}) {
      const shown = include_stale ? present() : present().filter(each => !each.stale);
      const dead = include_dead ? gone.list().filter(each => each.instance.dead) : [];
      return dead.length === 0 ? shown : [...shown, ...dead.map(each => each.instance)];
    },
    live,
    get: instanceId => current.get(instanceId),
    ...resolution,
    counts(): InstanceCounts {
      const by_source: Record<InstanceSource, number> = { file: 0, http: 0, mdns: 0, relay: 0 };
      for (const each of live()) by_source[each.source] += 1;
      const all = present();
      return {
        total: all.length,
        stale_count: all.filter(each => each.stale).length,
        evicted_dead: evicted,
        by_source,
      };
    },
    problems: () => found,
    addProblem: (instanceId, reason) => addProblems([{ file: instanceId, reason, at: now() }]),
    toRow: instance => fullRow(instance, now()),
    source: (name): SourceHandle => ({
      row(input) {
        const known = assertions.of(name).get(input.instance_id.toLowerCase())?.row;
        // What is only seen once more was registered when it was first seen; over HTTP it says itself that it is new.
        const same = name !== 'http' && known?.metadata.mcp_url === input.mcp_url;
        return remoteRow(name, input, same ? known.registered_at : now() / 1000);
      },
      assert(row, { ttlMs = Number.POSITIVE_INFINITY, answering: given, meta = {}, claimant } = {}) {
        if (deps.isOwn(row)) {
          disputes.ownAddress(name, row);
          return false;
        }
        const known = assertions.of(name).get(row.instance_id);
        if (known && known.claimant !== claimant && !isStale(known) && !sameListener(known.row, row)) {
          disputes.taken(name, row, known);
          return false;
        }
        // Who registers anew has begun anew.
        if (known?.row.registered_at !== row.registered_at) findings.delete(row.instance_id);
        const answering = given ?? known?.answering ?? false;
        assertions.set({ source: name, row, meta, at: now(), ttlMs, answering, claimant });
        settle(row.instance_id);
        return true;
      },
      retract(instanceId, message, claimant) {
        const mine = assertions.of(name).get(instanceId)?.claimant === claimant;
        const known = mine && assertions.remove(name, instanceId);
        if (known) settle(instanceId, 'deregistered', message);
        return known;
      },
      get: instanceId => assertions.of(name).get(instanceId)?.row,
    }),
    lease(instanceId, lease) {
      assertions.lease(instanceId, lease);
      settle(instanceId);
    },
    report,
    check(instanceId) {
      const assertion = assertions.of('file').get(instanceId);
      if (assertion && deps.isAlive(assertion.row) === false) reap(assertion);
    },
  };

  return {
    service,
    /** For the file source. */
    files: assertions.of('file'),
    gone,
    settle,
    addProblems,
    reap,
    /** What only time changes: stale rows, and rows whose time to live is over. */
    age(): void {
      for (const source of sourceOrder) {
        for (const [instanceId, each] of assertions.of(source)) {
          if (now() - each.at <= each.ttlMs) continue;
          assertions.remove(source, instanceId);
          settle(instanceId, 'heartbeat-timeout', `no heartbeat within its time to live of ${each.ttlMs / 1000} s`);
        }
      }
      for (const [instanceId, instance] of current) {
        const believed = assertions.believed(instanceId, each => !isStale(each));
        if (believed && isStale(believed) !== instance.stale) settle(instanceId);
      }
    },
  };
}

const eventOf = (instance: Instance): InstanceEvent => {
  const { instance_id, instance_short, dcc_type, source, mcp_url, status, routable } = instance;
  return { instance_id, instance_short, dcc_type, source, mcp_url, status, routable };
};

/** What is found of an instance whose host lives. */
type LivingFinding =
  | Extract<InstanceFinding, { kind: 'reachable' }>
  | { readonly kind: 'unreachable' | 'booting'; readonly message: string };

function nextFinding(before: Finding, finding: LivingFinding, at: number): Finding {
  if (finding.kind === 'reachable') {
    const readiness = finding.readiness ?? before.readiness;
    return { state: 'reachable', unreachableSince: undefined, readiness, last_error: null, probed_at: at };
  }
  return {
    state: finding.kind,
    unreachableSince: finding.kind === 'unreachable' ? (before.unreachableSince ?? at) : undefined,
    readiness: null,
    last_error: { kind: finding.kind, message: finding.message, at },
    probed_at: at,
  };
}

function byTypeAndAge(a: Instance, b: Instance): number {
  if (a.dcc_type !== b.dcc_type) return a.dcc_type < b.dcc_type ? -1 : 1;
  return a.row.registered_at - b.row.registered_at || (a.instance_id < b.instance_id ? -1 : 1);
}
