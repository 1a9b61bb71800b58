/** The own row: published once the server listens, kept alive by heartbeats, taken back when it closes. */
import type { Logger } from '../../../kernel/index.ts';
import type { InstanceRow, InstanceStatus } from '../../../schemas/instance.ts';
import type { InstanceInput, PublishedRow, RegistryService } from '../registry/api.ts';
import type { RegistrationChanges, RegistrationService } from './api.ts';

export interface RegistrationDeps {
  registry: RegistryService;
  instanceId: string;
  heartbeatSecs: number;
  /** What the row says beside its address and status. */
  base: Pick<InstanceRow, 'dcc_type'> & Partial<InstanceRow>;
  /** Where the server listens; asked when the row is published. */
  address: () => { host: string; port: number; mcp_url: string };
  ready: () => boolean;
  /** Told what came of a row that was tried again. */
  late(instance_id: string | null): void;
  log: Pick<Logger, 'warn'>;
}

export type Registration = ReturnType<typeof createRegistration>;

/** Without a heartbeat: how often a row that could not be published is tried again. */
const retrySecs = 5;

/** While the server boots its readiness is asked this often. */
const readyPollMs = 100;

export function createRegistration(deps: RegistrationDeps) {
  const { registry, instanceId, heartbeatSecs, base, address, ready, late, log } = deps;
  let changes: Partial<InstanceRow> = {};
  let metadata: Record<string, string> = { ...base.metadata };
  let published: PublishedRow | undefined;
  let announcing: Promise<string | null> | undefined;
  let closed = false;
  let left: Promise<void> | undefined;
  let warned = false;
  let statusGiven = false;
  let waiting = false;
  let busy = false;
  /** What was said last, whether or not it is in a row yet. */
  let written = JSON.stringify([{}, base.metadata ?? {}]);
  let gatewayWritten: Promise<void> = Promise.resolve();
  const timers = new Set<NodeJS.Timeout>();

  /** A registry that cannot be written must not end the server: it is told once, until it works again. */
  const attempt = async (what: string, action: () => Promise<unknown>): Promise<boolean> => {
    try {
      await action();
      warned = false;
      return true;
    } catch (err) {
      if (!warned) log.warn({ err }, `${what}: this instance may not be found through the gateway`);
      warned = true;
      return false;
    }
  };

  const every = (ms: number, action: () => void): (() => void) => {
    const timer = setInterval(action, ms).unref();
    timers.add(timer);
    return () => {
      clearInterval(timer);
      timers.delete(timer);
    };
  };

  const input = (): InstanceInput => {
    const { host, port, mcp_url } = address();
    return {
      ...base,
      instance_id: instanceId,
      host,
      port,
      status: status(),
      ...changes,
      metadata: { ...metadata, mcp_url },
    };
  };

  const write = (now: Partial<InstanceRow>): Promise<boolean> =>
    attempt('the registry row cannot be written', () => (published as PublishedRow).update(now));

  const publish = async (): Promise<string | null> => {
    const first = input();
    const done = await attempt('the registry row cannot be published', async () => {
      published = await registry.publish(first);
    });
    if (closed) return null;
    if (!done) {
      // A full disk has space again, a directory is made safe: from then on the row stands.
      const stop = every((heartbeatSecs || retrySecs) * 1000, () => {
        stop();
        announcing = publish();
        void announcing.then(late);
      });
      return null;
    }
    // What was said while the row was being written.
    const said = input();
    if (JSON.stringify(said) !== JSON.stringify(first)) await write(said);
    if (heartbeatSecs > 0) {
      every(heartbeatSecs * 1000, () => {
        void attempt('the heartbeat failed', (published as PublishedRow).heartbeat);
      });
    }
    if (said.status === 'booting') awaitReadiness();
    return instanceId;
  };

  const status = (): InstanceStatus => (!ready() ? 'booting' : busy ? 'busy' : 'available');

  /** Writes the status that this instance finds itself in, unless one was given. */
  const writeStatus = async (): Promise<void> => {
    if (!published || statusGiven || closed) return;
    if (status() === 'booting') awaitReadiness();
    await write({ status: status() });
  };

  const awaitReadiness = (): void => {
    if (statusGiven || waiting) return;
    waiting = true;
    const stop = every(readyPollMs, () => {
      if (!statusGiven && !ready()) return;
      waiting = false;
      stop();
      void writeStatus();
    });
  };

  const update = async ({ metadata: texts, lease, status: told, ...given }: RegistrationChanges): Promise<void> => {
    if (closed) return;
    const others: Partial<InstanceRow> = { ...given, ...(lease !== undefined && leaseFields(lease)) };
    if (told === null) {
      statusGiven = false;
      const { status: _, ...kept } = changes;
      changes = kept;
      others.status = status();
    } else if (told !== undefined) {
      statusGiven = true;
      others.status = told;
    }
    changes = { ...changes, ...others };
    if (!statusGiven) delete changes.status;
    const merged = { ...metadata, ...texts };
    metadata = Object.fromEntries(Object.entries(merged).filter(([, text]) => text !== ''));
    const said = JSON.stringify([changes, metadata]);
    if (published && said !== written)
      await write({ ...others, metadata: { ...metadata, mcp_url: address().mcp_url } });
    written = said;
  };

  const service: RegistrationService = {
    instance_id: instanceId,
    said() {
      const { dcc_type, adapter_version = null, scene = null, host_pid = null } = { ...base, ...changes };
      return { instance_id: instanceId, dcc_type, adapter_version, scene, host_pid };
    },
    announce() {
      announcing ??= closed ? Promise.resolve(null) : publish();
      return announcing;
    },
    update,
    setGateway(mode, guardianEnabled, recoveryDriver) {
      gatewayWritten = update({
        metadata: {
          gateway_runtime_mode: mode,
          gateway_guardian_enabled: String(guardianEnabled),
          gateway_recovery_driver: recoveryDriver,
        },
      });
    },
    leaving() {
      left ??= update({ status: 'shutting_down' });
      return left;
    },
  };
  return {
    ...service,
    /** What `ready` tells has changed: the row says so. */
    readinessChanged: writeStatus,
    /** It works at its bound, or no more: the row says so. */
    workChanged(now: boolean): void {
      busy = now;
      void writeStatus();
    },
    async close(): Promise<void> {
      closed = true;
      for (const timer of timers) clearInterval(timer);
      timers.clear();
      await announcing;
      await gatewayWritten;
      await attempt('the registry row cannot be removed', async () => published?.remove());
    },
  };
}

const leaseFields = (lease: NonNullable<RegistrationChanges['lease']> | null): Partial<InstanceRow> => ({
  lease_owner: lease?.owner ?? null,
  lease_expires_at: lease?.expires_at ?? null,
  current_job_id: lease?.job_id ?? null,
});
