/** What other parts may know of the gateway as this server sees it. */
import type { GatewayMode, RecoveryDriver } from '../../instances/registration/api.ts';

export type { GatewayMode, RecoveryDriver } from '../../instances/registration/api.ts';

/** A gateway that this process serves beside its own server. */
export interface EmbeddedGateway {
  readonly origin: string;
  /** Resolves when it ended by itself, with why. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

/** State of the failover, as the diagnostics tell it. */
export interface FailoverReport {
  enabled: boolean;
  running: boolean;
  consecutive_failures: number;
  gateway_host: string;
  gateway_port: number;
  is_gateway: boolean;
  runtime_mode: GatewayMode;
  recovery_driver: RecoveryDriver;
  /** Why things are as they are: a reason of the contract, or what went wrong in words. */
  reason: string;
  /** Settings that the daemon has otherwise than this server would launch it with. */
  settings_differ: readonly string[];
  timestamp_ms: number;
}

/** Attributes of `guardian.changed`. */
export type GuardianState = {
  mode: GatewayMode;
  is_gateway: boolean;
  /** As in the report. */
  reason: string;
};

export interface GuardianService {
  readonly mode: GatewayMode;
  readonly recovery_driver: RecoveryDriver;
  /** True while this process serves the gateway. */
  readonly is_gateway: boolean;
  /** As in the report. */
  readonly settings_differ: readonly string[];
  report(): FailoverReport;
  /** Resolves when the first election is decided; at once where there is none. Never rejects. */
  decided(): Promise<void>;
}

declare module 'fastify' {
  interface FastifyInstance {
    guardian: GuardianService;
  }
}
