/** One leg of one call, as it was taken down: not yet redacted, for nobody but `frames.ts`. */
import type { Leg, TrafficFrame } from './events.ts';
import type { CallId } from './messages.ts';

export interface Passed {
  readonly leg: Leg;
  readonly capture_id: string;
  readonly request_id: string | undefined;
  readonly trace_id: string | undefined;
  readonly session_id: string | undefined;
  readonly instance_id: string | undefined;
  readonly dcc_type: string | undefined;
  /** Nanoseconds since the epoch. */
  readonly ns: number;
  readonly http: TrafficFrame['http'];
  readonly id: CallId;
  readonly body: Body;
}

/** A body as text, and what of it is this call's; null where it is longer than is captured. */
export interface Body {
  readonly size: number;
  readonly raw: string | null;
  readonly data: unknown;
}
