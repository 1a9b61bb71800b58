/** The contract of whatever keeps captured frames. */
import type { EventEnvelope } from '../../kernel/index.ts';
import type { TrafficFrame } from './events.ts';

export type FrameEvent = EventEnvelope<TrafficFrame>;

/** A frame as it goes to the sinks: its text, and its event, which is read once for all who want it. */
export class Captured {
  readonly json: string;
  /** Bytes of the body in it. */
  readonly size: number;
  #event: FrameEvent | undefined;

  constructor(json: string, size: number) {
    this.json = json;
    this.size = size;
  }

  get event(): FrameEvent {
    this.#event ??= JSON.parse(this.json) as FrameEvent;
    return this.#event;
  }
}

/** `Batch` is the form in which it takes frames. */
export interface Sink<Batch = readonly Captured[]> {
  readonly kind: 'jsonl' | 'sqlite' | 'admin_live';
  /** For people: where it keeps them. */
  readonly place: string;
  /** Frames in one batch at most: of a sink that holds its thread while it writes, they hold it for some milliseconds. */
  readonly batch?: number;
  /** Keeps frames, in order, all of them or none; rejects when it cannot. One batch at a time. */
  write(batch: Batch): Promise<void>;
  close(): Promise<void>;
}
