/** What other plugins may use of the own row in the registry. */
import type { InstanceStatus } from '../../../schemas/instance.ts';

export interface RegistrationChanges {
  scene?: string | null;
  documents?: string[];
  version?: string | null;
  display_name?: string | null;
  /** Null: what this instance finds itself in, as without one. */
  status?: InstanceStatus | null;
  /** Process id of the host application, when that is another process. */
  host_pid?: number | null;
  /** Who alone may call it through the gateway, for which job and until when (Unix seconds); null ends the lease. */
  lease?: { owner: string; expires_at: number; job_id?: string } | null;
  /** Added to what stands there; an empty text removes a name. */
  metadata?: Record<string, string>;
}

/** What clients are told of how this instance gets its gateway. */
export type GatewayMode =
  | 'daemon-backed'
  | 'failover_disabled_by_adapter'
  | 'gateway_port_not_configured'
  | 'embedded-fallback'
  | 'daemon-unavailable';
export type RecoveryDriver = 'daemon_guardian' | 'embedded_election' | 'none';

export interface RegistrationService {
  /** UUID of this instance; stands from boot on, whether or not a row could be written. */
  readonly instance_id: string;
  /** What it says of itself now. */
  said(): {
    instance_id: string;
    dcc_type: string;
    adapter_version: string | null;
    scene: string | null;
    host_pid: number | null;
  };
  /** Publishes the row once the server listens; resolves with its id, or null when the registry is unavailable. Idempotent. */
  announce(): Promise<string | null>;
  /** Changes the row, at once when it is published, otherwise from the start. */
  update(changes: RegistrationChanges): Promise<void>;
  /** Tells that no new calls are welcome; closing does so by itself, but only after its turn. Idempotent. */
  leaving(): Promise<void>;
  /** Notes the gateway's run mode in the row's metadata. */
  setGateway(mode: GatewayMode, guardianEnabled: boolean, recoveryDriver: RecoveryDriver): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    registration: RegistrationService;
  }
}
