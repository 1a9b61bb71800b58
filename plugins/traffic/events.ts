/** What the capture tells the bus: one leg of one tool call, its secrets taken out. */

/** From whom to whom. */
export type Leg = 'client_to_gateway' | 'gateway_to_client' | 'gateway_to_adapter' | 'adapter_to_gateway';

export type TrafficFrame = {
  /** The same for all legs of a call. */
  capture_id: string;
  session_id?: string;
  /** Seen from the gateway. */
  direction: 'inbound' | 'outbound';
  leg: Leg;
  transport: string;
  /** When it passed, in nanoseconds since the epoch: the event is told a moment later. */
  captured_ns: number;
  /** The instance at the other end, or behind the answer. */
  instance_id?: string;
  dcc_type?: string;
  /** Of HTTP, what is safe to show: no query, no credential. */
  http: { method: string; url: string; headers: Record<string, string>; status?: number };
  /** A call over REST has no id, and what goes to an instance one of the gateway's own. */
  mcp: { kind: 'request' | 'response'; method: 'tools/call'; id: string | number | null };
  body: {
    /** The JSON, or the text of what is none; null for a body that is longer than is captured. */
    data: unknown;
    size_bytes: number;
    /** Paths from the frame: `body.data.params.arguments.code`. */
    redacted_paths: string[];
    /** It was longer than is captured. */
    truncated?: true;
  };
};

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'traffic.frame': TrafficFrame;
  }
}

export const trafficEvents = {
  'traffic.frame': 'one leg of a tool call passed the gateway, while traffic is captured',
} as const;
