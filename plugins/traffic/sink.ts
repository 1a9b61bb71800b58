/** The contract of whatever keeps captured frames. */
import type { EventEnvelope } from '../../kernel/index.ts';
import type { TrafficFrame } from './events.ts';

export type FrameEvent = EventEnvelope<TrafficFrame>;

/** A frame, and its text, which is made once for all who want it. */
export class Captured {
  readonly event: FrameEvent;
  #json: string | undefined;

  constructor(event: FrameEvent) {
    this.event = event;
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.event);
    return this.#json;
  }
}

export interface Sink {
  readonly kind: 'jsonl' | 'sqlite' | 'admin_live';
  /** For people: where it keeps them. */
  readonly place: string;
  /** Keeps frames, in order, all of them or none; rejects when it cannot. One batch at a time. */
  write(batch: readonly Captured[]): Promise<void>;
  close(): Promise<void>;
}
