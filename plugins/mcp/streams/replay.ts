/** The newest events of one session, kept so that a client that lost its connection can ask for what it missed. */
import type { Frame } from './frame.ts';

export interface KeptEvent {
  readonly stream: string;
  readonly sequence: number;
  readonly frame: Frame;
}

/** Event ids name the stream and the position in it. */
export const eventId = (stream: string, sequence: number): string => `${stream}-${sequence}`;

/** The parts of a `Last-Event-ID`; undefined for one that this server never made. */
export function parseEventId(text: string): { stream: string; sequence: number } | undefined {
  const [, stream, sequence] = /^([0-9a-z]{1,12})-(\d{1,15})$/.exec(text) ?? [];
  return stream === undefined ? undefined : { stream, sequence: Number(sequence) };
}

export class ReplayBuffer {
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  readonly #events: KeptEvent[] = [];
  #bytes = 0;

  constructor(maxEvents: number, maxBytes: number) {
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether anything is kept at all. */
  get keeps(): boolean {
    return this.#maxEvents > 0;
  }

  /** Keeps an event and forgets the oldest beyond the bounds; the newest stays even when it alone exceeds the bytes. */
  add(event: KeptEvent): boolean {
    if (this.#maxEvents === 0) return false;
    this.#events.push(event);
    this.#bytes += event.frame.size;
    while (this.#events.length > this.#maxEvents || (this.#bytes > this.#maxBytes && this.#events.length > 1)) {
      this.#bytes -= this.#events.shift()?.frame.size ?? 0;
    }
    return true;
  }

  /** Kept events of exactly this stream after a position, oldest first. */
  after(stream: string, sequence: number): KeptEvent[] {
    return this.#events.filter(each => each.stream === stream && each.sequence > sequence);
  }

  clear(): void {
    this.#events.length = 0;
    this.#bytes = 0;
  }
}
