/** Calls on their way between the gateway and an instance, for who looks at traffic. */
import type { IncomingMessage } from 'node:http';

/** One call to one instance; the same object when it begins and when it ends. */
export interface Hop {
  /** The HTTP request that it is made for, where there is one. */
  readonly request: IncomingMessage | undefined;
  /** Id of the JSON-RPC request that it is made for. */
  readonly rpc_id: string | number | undefined;
  readonly request_id: string | undefined;
  readonly trace_id: string | undefined;
  readonly session_id: string | undefined;
  readonly instance_id: string;
  readonly dcc_type: string;
  /** MCP endpoint of the instance. */
  readonly url: string;
}

/** The gateway calls: `text` is the message. The proxy passes on what the client sent: there is none. */
export type HopBegun = { hop: Hop; text: string | undefined };
/** The message that came back. The proxy gives none. */
export type HopEnded = { hop: Hop; text: string };

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'internal.hop.begun': HopBegun;
    'internal.hop.ended': HopEnded;
  }
}
