/** What the thread of the calls hands to the one that reads what was captured, and what it hears back. */
import type { Tape, TapeMemory } from '../../schemas/tape.ts';
import type { Door } from './messages.ts';
import type { CaptureSettings } from './traffic-file.ts';

/** The instance that a call goes to. */
export type Place = readonly [instance_id: string, dcc_type: string, url: string];

/** Correlation of a call, as far as it is known. */
export type Names = readonly [
  request_id: string | undefined,
  trace_id: string | undefined,
  session: string | undefined,
];

/** A body: its text, which is left out where it is longer than is captured. */
export type Body = readonly [size: number, text: string | null];

/** Headers that may be shown, in the order of `shownHeaders`. */
export type Headers = readonly (string | undefined)[];

/**
 * One thing that passed, in order. `number` is that of an exchange between a client and the gateway, `hop` of a call from
 * there to an instance.
 */
export type Item =
  | readonly [what: 'sent', number: number, Door, path: string, ns: number, Headers, Body]
  /** The proxy passes on what was sent, which is told anew where it went over before. */
  | readonly [what: 'passed on', number: number, Place]
  | readonly [what: 'answered', number: number, status: number, ns: number, Headers, Body, whole: boolean]
  | readonly [what: 'begun', hop: number, number: number, rpcId: string | number | null, Names, Place, number, Body]
  | readonly [what: 'ended', hop: number, ns: number, Body];

export interface Batch {
  readonly what: 'batch';
  /** Items: see `packed.ts`. */
  readonly items: Tape;
  /** Exchanges and hops of which nothing more comes. */
  readonly ended: { readonly exchanges: readonly number[]; readonly hops: readonly number[] };
  /** The `source` of every frame, as JSON. */
  readonly source: string;
  /** Whether the frames are wanted back. */
  readonly wanted: boolean;
}

export type ToReader = Batch | { readonly what: 'flush'; readonly ms: number };

/** How a sink fares. */
export interface SinkState {
  kind: string;
  waiting: number;
  written: number;
  lost: number;
  last_error: string | null;
}

/** How the reader fares. */
export interface ReaderReport {
  decisions: { captured: number; excluded: number; not_included: number };
  /** Those that were told of before are not repeated. */
  newPaths: string[];
  /** Of its own sinks. */
  sinks: SinkState[];
}

/** A frame: its event as JSON, and the bytes of the body in it. */
export type FrameText = readonly [json: string, size: number];

export type FromReader =
  | { readonly what: 'ready' }
  /** The oldest batch was read; the memory that it came in goes back. */
  | {
      readonly what: 'handled';
      readonly frames: readonly FrameText[];
      readonly memory: TapeMemory;
      readonly report: ReaderReport;
    }
  | { readonly what: 'report'; readonly report: ReaderReport }
  | { readonly what: 'told'; readonly sentence: string }
  | { readonly what: 'flushed' };

/** What the reader is started with. */
export interface ReaderData {
  readonly settings: CaptureSettings;
  readonly files: readonly { readonly path: string; readonly maxBytes: number }[];
}
