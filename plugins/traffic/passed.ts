/** One leg of one call, as it was taken down: not yet redacted, for nobody but `frames.ts`. */
import type { Leg } from './events.ts';
import type { CallId, Said } from './messages.ts';

export interface Passed {
  readonly leg: Leg;
  readonly capture_id: string;
  readonly correlation: Correlation;
  /** Members of the frame about the instance, as JSON, each with its comma. */
  readonly instance: string;
  /** Nanoseconds since the epoch. */
  readonly ns: number;
  /** JSON of the path. */
  readonly url: string;
  /** JSON of those that may be shown. */
  readonly headers: string;
  /** Of an answer. */
  readonly status: number | undefined;
  readonly id: CallId;
  readonly body: PassedBody;
}

/** What the legs of a call have in common, as JSON. */
export interface Correlation {
  readonly json: string;
  /** A member of the frame, with its comma. */
  readonly session: string;
}

/** What is shown of a body: JSON, and the paths of what was taken out of it. */
export interface Shown {
  readonly json: string;
  readonly paths: readonly string[];
}

/** A body, and what of it is this call's; nothing is said where it is longer than is captured. */
export interface PassedBody {
  readonly size: number;
  readonly said: Said | undefined;
  /** Kept for the next leg that has the same body, since redaction changes what was said: as it was, and as it is shown. */
  json: string | undefined;
  shown: Shown | undefined;
}
