/** The rows of this machine: read when the registry changes and at every heartbeat, their processes watched in between. */
import { local } from './address.ts';
import type { Assertion } from './assertions.ts';
import type { Instances } from './instances.ts';
import type { RegistryEntry, RegistryProblem, RegistryService } from './registry/api.ts';

export interface FileSourceDeps {
  registry: Pick<RegistryService, 'read' | 'watch' | 'isAlive' | 'exists'>;
  instances: Pick<Instances, 'files' | 'gone' | 'settle' | 'beat' | 'reap' | 'age' | 'addProblems'>;
  /** Where the gateway itself listens. */
  own: () => { host: string; port: number } | undefined;
  refreshMs: number;
  /** A row that is stale for so long, and whose owner is not known to live, is forgotten. */
  forgetMs: number;
  now: () => number;
  log: { warn(details: object, message: string): void };
}

/** A process that ends is noticed within this. */
const pulseMs = 500;
/** Several changes of the directory are read once. */
const settleMs = 20;
/** Problems told one by one in the log, of one reading. */
const loggedProblems = 20;

export function createFileSource(deps: FileSourceDeps) {
  const { registry, instances, own, refreshMs, forgetMs, now, log } = deps;
  const { files } = instances;
  const toldRows = new Map<string, string>();
  let closed = false;
  let pending: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again: Promise<void> | undefined;

  /** A problem with a row that stays in its file: told once while it lasts. */
  const tellRow = (instanceId: string, reason: string): RegistryProblem[] => {
    if (toldRows.get(instanceId) === reason) return [];
    toldRows.set(instanceId, reason);
    return [{ file: `${instanceId}.json`, reason, at: now() }];
  };

  const tell = (problems: readonly RegistryProblem[]): void => {
    if (problems.length === 0) return;
    instances.addProblems(problems);
    for (const { file, reason } of problems.slice(0, loggedProblems)) {
      log.warn({ file, reason }, 'a registry row is not used');
    }
    const more = problems.length - loggedProblems;
    if (more > 0) log.warn({ count: more }, 'further registry rows are not used');
  };

  const isOwn = ({ host, port }: { host: string; port: number }): boolean => {
    const address = own();
    return address !== undefined && address.port === port && local(address.host) === local(host);
  };

  /** Why an entry is none of the directory's; nothing when it is. */
  const foreign = ({ row }: RegistryEntry): string | undefined => {
    if (row.dcc_type === '__gateway__' || row.metadata.dcc_mcp_role === 'gateway-sentinel') return 'bookkeeping';
    return isOwn(row) ? 'its address is the gateway itself' : undefined;
  };

  /** Two rows at one address: the one that was registered last has it. */
  const displaced = (entries: readonly RegistryEntry[]): Map<string, string> => {
    const owners = new Map<string, RegistryEntry>();
    const losers = new Map<string, string>();
    for (const entry of entries) {
      const { row } = entry;
      if (row.port === 0) continue;
      const address = `${local(row.host)} ${row.port}`;
      const other = owners.get(address);
      const wins = !other || row.registered_at > other.row.registered_at;
      if (other) {
        const [winner, loser] = wins ? [entry, other] : [other, entry];
        losers.set(loser.row.instance_id, winner.row.instance_id);
      }
      if (wins) owners.set(address, entry);
    }
    return losers;
  };

  const apply = (entries: readonly RegistryEntry[]): RegistryProblem[] => {
    const problems: RegistryProblem[] = [];
    const here: RegistryEntry[] = [];
    const ids = new Set(entries.map(each => each.row.instance_id));
    /** Why a row that is still in its file is none of the directory's any more. */
    const refused = new Map<string, { reason: string; message: string }>();
    for (const entry of entries) {
      const { row, last_heartbeat: at } = entry;
      const reason = foreign(entry);
      const buried = instances.gone.get(row.instance_id);
      const assertion: Assertion = { source: 'file', row, meta: {}, at, ttlMs: Number.POSITIVE_INFINITY };
      if (reason !== undefined) {
        if (reason !== 'bookkeeping') problems.push(...tellRow(row.instance_id, reason));
        refused.set(row.instance_id, { reason: 'deregistered', message: reason });
        ids.delete(row.instance_id);
      } else if (entry.alive === false || (buried && registry.isAlive(row) === false)) instances.reap(assertion);
      else if (buried?.reason === 'host-died' && buried.instance.row.registered_at === row.registered_at) {
        // The server lives on without its host.
        ids.delete(row.instance_id);
      } else if (entry.alive !== true && now() - at > forgetMs) {
        ids.delete(row.instance_id);
        const message = 'no heartbeat for long, and its owner is not known to live';
        refused.set(row.instance_id, { reason: 'heartbeat-timeout', message });
        problems.push(...tellRow(row.instance_id, message));
      } else here.push(entry);
    }
    const losers = displaced(here);
    for (const { row, last_heartbeat: at, alive } of here) {
      const winner = losers.get(row.instance_id);
      if (winner !== undefined) {
        const reason = `its address ${row.host}:${row.port} was taken by instance ${winner}`;
        problems.push(...tellRow(row.instance_id, reason));
      }
      const known = files.get(row.instance_id);
      const same = known?.row === row && known.proven === (alive === true) && !known.displaced && winner === undefined;
      if (same && instances.beat('file', row.instance_id, at)) continue;
      const ttlMs = Number.POSITIVE_INFINITY;
      const standing = { displaced: winner !== undefined, proven: alive === true };
      files.set(row.instance_id, { source: 'file', row, meta: {}, at, ttlMs, ...standing });
      instances.settle(row.instance_id, winner === undefined ? undefined : 'displaced');
    }
    for (const instanceId of [...files.keys()]) {
      if (ids.has(instanceId)) continue;
      files.delete(instanceId);
      // Its owner has deleted it: a process that was killed leaves its file behind.
      const taken = 'its server shut down, or took its row out of the registry';
      const { reason = 'deregistered', message = taken } = refused.get(instanceId) ?? {};
      instances.settle(instanceId, reason, message);
    }
    for (const instanceId of toldRows.keys()) {
      if (!entries.some(each => each.row.instance_id === instanceId)) toldRows.delete(instanceId);
    }
    return problems;
  };

  const readOnce = async (): Promise<void> => {
    const { rows, problems } = await registry.read();
    if (closed) return;
    tell([...problems, ...apply(rows)]);
  };

  /** One reading at a time; who asks during one gets the next, which sees what they have written. */
  const refresh = (): Promise<void> => {
    if (closed) return Promise.resolve();
    if (!running) {
      running = readOnce().finally(() => {
        running = undefined;
      });
      return running;
    }
    again ??= running
      .catch(() => undefined)
      .then(() => {
        again = undefined;
        return refresh();
      });
    return again;
  };
  const inBackground = (): void => {
    refresh().catch(err => log.warn({ err }, 'the registry cannot be read'));
  };

  const pulse = setInterval(() => {
    for (const assertion of [...files.values()]) {
      // The little that costs nothing; whether it is still the same process is asked at every reading.
      if (!assertion.proven || registry.exists(assertion.row)) continue;
      if (registry.isAlive(assertion.row) === false) instances.reap(assertion);
    }
    instances.age();
  }, pulseMs).unref();
  const polling = setInterval(inBackground, refreshMs).unref();
  const unwatch = registry.watch(() => {
    pending ??= setTimeout(() => {
      pending = undefined;
      inBackground();
    }, settleMs).unref();
  });

  return {
    refresh,
    async close() {
      closed = true;
      clearInterval(pulse);
      clearInterval(polling);
      clearTimeout(pending);
      await unwatch();
      await running?.catch(() => undefined);
    },
  };
}
