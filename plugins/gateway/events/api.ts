/** What other plugins may use of the gateway's ring of operational events. */
import type { Disposer } from '../../../kernel/index.ts';

/** Names of events; a plugin may add its own. */
export type GatewayEventName =
  | 'election_won'
  | 'voluntary_yield'
  | 'ghost_reaped'
  | 'probe_booting'
  | 'probe_unreachable'
  | 'auto_deregister'
  | 'host_died'
  | 'operator_note'
  | 'feedback_reported'
  | (string & {});

export interface GatewayEventInput {
  event: GatewayEventName;
  /** Default: `gateway`. */
  dcc_type?: string;
  /** Shown as its first 8 characters; default: `unscoped`. */
  instance_id?: string;
  reason: string;
}

export interface GatewayEvent {
  /** RFC 3339. */
  timestamp: string;
  event: string;
  dcc_type: string;
  instance_id: string;
  reason: string;
}

export interface GatewayEventsService {
  record(input: GatewayEventInput): GatewayEvent;
  /** Oldest first, at most 1,000. */
  list(): readonly GatewayEvent[];
  /** The same as JSON lines. */
  lines(): string;
  onRecord(listener: (event: GatewayEvent) => void): Disposer;
}

declare module 'fastify' {
  interface FastifyInstance {
    gatewayEvents: GatewayEventsService;
  }
}
