/** What other plugins may use of the gateway's ring of operational events. */
/** Attributes of `gateway.elected` and `gateway.yielded`. */
export type GatewayMoment = { dcc_type: string; instance_id: string; reason: string };

/** Attributes of `gateway.noted`: an entry that somebody wants in the ring. */
export type GatewayNote = {
  /** Kind of the entry: `operator_note`, `feedback_reported`, or a plugin's own. */
  event: string;
  /** Default: `gateway`. */
  dcc_type?: string;
  /** Shown as its first 8 characters; default: `unscoped`. */
  instance_id?: string;
  reason: string;
};

/** One entry of the ring. */
export type GatewayEvent = {
  /** RFC 3339. */
  timestamp: string;
  event: string;
  dcc_type: string;
  instance_id: string;
  reason: string;
};

export interface GatewayEventsService {
  /** Oldest first, at most 1,000. */
  list(): readonly GatewayEvent[];
  /** The same as JSON lines. */
  lines(): string;
}

declare module 'fastify' {
  interface FastifyInstance {
    gatewayEvents: GatewayEventsService;
  }
}
