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
} from './api.ts';
import { type Assertion, createAssertions, sourceOrder } from './assertions.ts';
import { createDisputes } from './disputes.ts';
import { type Finding, type LivingFinding, nextFinding, noFinding, sameFinding } from './finding.ts';
import { fullRow } from './full-row.ts';
import { createGone } from './gone.ts';
import { createInstance, departed, sameInstance } from './instance.ts';
import { createProblems } from './problems.ts';
import { createResolution } from './resolution.ts';
import { sourceHandle } from './source-handle.ts';

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

const diedReasons = new Set(['exited', 'host-died']);

export type Instances = ReturnType<typeof createInstances>;

export function createInstances(deps: InstancesDeps) {
  const { now, staleMs, removeFile, bus } = deps;
  const assertions = createAssertions();
  const findings = new Map<string, Finding>();
  const current = new Map<string, Instance>();
  const gone = createGone();
  const problems = createProblems();
  const disputes = createDisputes((about, reason) => {
    problems.add([{ file: about, reason, at: now() }]);
    deps.onDispute(about, reason);
  });
  let [generation, evicted] = [0, 0];
  let sorted: readonly Instance[] | undefined;
  let callable: readonly Instance[] | undefined;

  const isStale = ({ row, at, source, ttlMs }: Assertion, when = now()): boolean => {
    // Who has switched heartbeats off is judged by its process alone.
    if (source === 'file' && row.extras.heartbeat_secs === 0) return row.status === 'stale';
    return row.status === 'stale' || when - at > Math.max(staleMs, Number.isFinite(ttlMs) ? ttlMs : 0);
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

  /** A heartbeat of a row that is as it was: false when there is more to it. */
  const beat = (source: InstanceSource, instanceId: string, at = now()): boolean => {
    const known = assertions.of(source).get(instanceId);
    if (!known || current.get(instanceId)?.stale !== false) return false;
    known.at = at;
    return !isStale(known);
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
    const assertion = assertions.of(instance.source).get(instanceId);
    if (finding.kind === 'reachable' && assertion?.answering) assertion.at = now();
    const next = nextFinding(before, finding as LivingFinding, now());
    if (sameFinding(before, next)) {
      before.probed_at = next.probed_at;
      return;
    }
    findings.set(instanceId, next);
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
    problems: problems.list,
    addProblem: (instanceId, reason) => problems.add([{ file: instanceId, reason, at: now() }]),
    toRow: instance => fullRow(instance, now()),
    source: name =>
      sourceHandle(name, { assertions, findings, disputes, beat, settle, isStale, isOwn: deps.isOwn, now }),
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
    beat,
    addProblems: problems.add,
    reap,
    /** What only time changes: stale rows, and rows whose time to live is over. */
    age(): void {
      const at = now();
      for (const source of sourceOrder) {
        for (const [instanceId, each] of assertions.of(source)) {
          if (at - each.at <= each.ttlMs) continue;
          assertions.remove(source, instanceId);
          const missing = each.answering ? 'neither heartbeat nor answer' : 'no heartbeat';
          settle(instanceId, 'heartbeat-timeout', `${missing} within its time to live of ${each.ttlMs / 1000} s`);
        }
      }
      for (const [instanceId, instance] of current) {
        // Who was believed, and still is fresh, is believed: time makes nobody else so.
        const told = assertions.of(instance.source).get(instanceId);
        if (told && !instance.stale && !isStale(told, at)) continue;
        const believed = assertions.believed(instanceId, each => !isStale(each, at));
        if (believed && isStale(believed, at) !== instance.stale) settle(instanceId);
      }
    },
  };
}

const eventOf = (instance: Instance): InstanceEvent => {
  const { instance_id, instance_short, dcc_type, source, mcp_url, status, routable } = instance;
  return { instance_id, instance_short, dcc_type, source, mcp_url, status, routable };
};

function byTypeAndAge(a: Instance, b: Instance): number {
  if (a.dcc_type !== b.dcc_type) return a.dcc_type < b.dcc_type ? -1 : 1;
  return a.row.registered_at - b.row.registered_at || (a.instance_id < b.instance_id ? -1 : 1);
}
