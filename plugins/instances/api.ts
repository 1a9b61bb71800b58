/** What other plugins of the gateway may use of the directory of instances. */
import type { InstanceRow, InstanceStatus } from '../../schemas/instance.ts';
import type { Readiness } from '../health/api.ts';
import type { RegistryProblem } from './registry/api.ts';

export type { InstanceRow, InstanceStatus } from '../../schemas/instance.ts';
export { dispatchOf } from './dispatch-status.ts';

export type InstanceSource = 'file' | 'http' | 'mdns' | 'relay';

export interface Instance {
  readonly instance_id: string;
  /** First 8 hex digits of the id. */
  readonly instance_short: string;
  readonly dcc_type: string;
  readonly row: InstanceRow;
  readonly source: InstanceSource;
  readonly source_meta: Record<string, unknown>;
  readonly host: string;
  readonly port: number;
  readonly mcp_url: string;
  /** Where its skills are searched and loaded: `mcp_url` unless the row says otherwise; empty when it has no such place. */
  readonly discovery_mcp_url: string;
  /** What REST paths such as `/v1/readyz` are appended to; without a slash at its end. */
  readonly origin: string;
  /** Effective: `stale` when stale, `unreachable` or `booting` when so reported, otherwise the row's. */
  readonly status: InstanceStatus;
  readonly stale: boolean;
  /** The owner process has ended. */
  readonly dead: boolean;
  /** May be called: fresh, available or busy, of a known type, with a port. */
  readonly routable: boolean;
  /** Milliseconds since the epoch. */
  readonly last_heartbeat: number;
  /** What probing found, newest first wins. */
  readonly probe: InstanceProbe;
}

export interface InstanceProbe {
  readonly readiness: Readiness | null;
  readonly last_error: { kind: string; message: string; at: number } | null;
  /** Milliseconds since the epoch; null before the first probe. */
  readonly probed_at: number | null;
}

/** What an event says of its instance; who wants more asks the directory. */
export type InstanceEvent = Pick<
  Instance,
  'instance_id' | 'instance_short' | 'dcc_type' | 'source' | 'mcp_url' | 'status' | 'routable'
> & {
  /** Why it changed, where that is known: `heartbeat-timeout`, `unreachable`, … */
  reason?: string;
  /** The same for people, of what is worth a word. */
  message?: string;
};

export type InstanceLeft = InstanceEvent & {
  /** `exited`, `deregistered`, `host-died`, `heartbeat-timeout`, … */
  reason: string;
  /** The same for people. */
  message: string;
};

export type InstanceTrouble = InstanceEvent & { message: string };

export type InstanceFinding =
  | { readonly kind: 'reachable'; readonly readiness?: Readiness }
  | { readonly kind: 'unreachable' | 'booting' | 'host-died'; readonly message: string };

export interface InstanceCounts {
  /** Rows of the default view. */
  readonly total: number;
  readonly stale_count: number;
  /** Rows dropped because their process had ended, since the gateway started. */
  readonly evicted_dead: number;
  /** Routable rows. */
  readonly by_source: Record<InstanceSource, number>;
}

/** What a source knows of an instance of another machine. */
export interface RemoteInstance {
  instance_id: string;
  dcc_type: string;
  /** http or https; its path ends with `/mcp`. */
  mcp_url: string;
  version?: string | null | undefined;
  adapter_version?: string | null | undefined;
  scene?: string | null | undefined;
  metadata?: Record<string, string>;
}

/** Rows that come from elsewhere than the registry's files. */
export interface SourceHandle {
  /** A complete row for an instance of another machine. */
  row(input: RemoteInstance): InstanceRow;
  /**
   * Adds or renews a row; without `ttlMs` it stands until retracted. With `answering` what its
   * instance answers to probes renews it, from then on. False when it is refused: its address is the
   * gateway's own, or another claimant of the source gave the same id another address and still stands by it.
   */
  assert(
    row: InstanceRow,
    options?: { ttlMs?: number; answering?: boolean; meta?: Record<string, unknown>; claimant?: string | undefined },
  ): boolean;
  /** `message` says why. False when the source asserts no such row, or another claimant does. */
  retract(instance_id: string, message: string, claimant?: string): boolean;
  /** The row that this source asserts now. */
  get(instance_id: string): InstanceRow | undefined;
  /** How many rows it asserts now. */
  size(): number;
}

/** A lease that the gateway gave. */
export type LeaseClaim = {
  readonly lease_owner: string;
  /** Unix seconds. */
  readonly lease_expires_at: number;
  readonly current_job_id: string | null;
};

export interface InstancesService {
  /** How often a source looks again. */
  readonly refreshMs: number;
  /** Grows with every change: `instance.appeared`, `instance.changed` and `instance.left` on the bus. */
  readonly generation: number;
  /** The default view shows stale rows and hides dead ones; the gateway's own row and `__gateway__` are never shown. */
  list(view?: { include_stale?: boolean; include_dead?: boolean }): readonly Instance[];
  /** Routable ones. */
  live(): readonly Instance[];
  /** By full UUID; stale ones too, dead ones not. */
  get(instance_id: string): Instance | undefined;
  /** As `resolve`, but a stale, booting or unreachable instance is found too. */
  find(id: string): Instance;
  /**
   * By full UUID, short id or unique prefix of at least 4 characters. Throws SVC_INSTANCES_PREFIX_TOO_SHORT (bad-request,
   * 400), _UNKNOWN, _GONE or _OFFLINE (instance-offline, 404, 410, 503), _AMBIGUOUS (ambiguous, 409).
   */
  resolve(id: string): Instance;
  /** The one instance meant; throws SVC_INSTANCES_SEVERAL (ambiguous-instance, 400) rather than guess among several. */
  choose(selector: { instance_id?: string | undefined; dcc_type?: string | undefined }): Instance;
  counts(): InstanceCounts;
  /** The newest first-seen problems, oldest first. */
  problems(): readonly RegistryProblem[];
  /** Adds what others found wrong with an instance. */
  addProblem(instance_id: string, reason: string): void;
  /** The full row that clients see. */
  toRow(instance: Instance): Record<string, unknown>;
  source(name: Exclude<InstanceSource, 'file'>): SourceHandle;
  /** Says who has leased an instance, whatever its row says; undefined leaves that to the row again. */
  lease(instance_id: string, lease: LeaseClaim | undefined): void;
  /** What probing and calling found out. */
  report(instance_id: string, finding: InstanceFinding): void;
  /** Nobody answers there: looks at its process, and lets the instance go at once if that has ended. */
  check(instance_id: string): void;
  /** Reads the registry now. */
  refresh(): Promise<void>;
}

declare module 'fastify' {
  interface FastifyInstance {
    instances: InstancesService;
  }
}
