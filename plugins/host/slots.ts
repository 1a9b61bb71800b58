/**
 * A ring of shared flags, one per call that waits for the host's main thread. The two threads settle by compare-and-swap
 * who comes first, the caller who gives up or the host that begins: a call given up before it began never begins.
 * The ring also bounds the queue: the host takes calls in order, so an occupied next slot means that all are.
 */
const free = 0;
const waiting = 1;
const begun = 2;
const givenUp = 3;

export interface HostSlots {
  /** Handed to the other thread, which calls `openSlots` on it. */
  readonly memory: SharedArrayBuffer;
  readonly size: number;
  /** Server side: the ticket of a new call (0, 1, 2, ...), or undefined when the queue is full. */
  claim(): number | undefined;
  /** Server side: gives a call up; true when it had not begun, so that it never will. */
  giveUp(ticket: number): boolean;
  /** Server side: frees the place of a call that was never sent. */
  release(ticket: number): void;
  /** Host side: begins the call; false when it was given up and must not run. Asked once per ticket. */
  begin(ticket: number): boolean;
}

/** A ring for at most `size` waiting calls. */
export function createSlots(size: number): HostSlots {
  return openSlots(new SharedArrayBuffer(size * Int32Array.BYTES_PER_ELEMENT));
}

/** The same ring on the other thread. */
export function openSlots(memory: SharedArrayBuffer): HostSlots {
  const flags = new Int32Array(memory);
  const size = flags.length;
  let claimed = 0;
  // A slot that a later call claimed again belonged to a call that had begun.
  const superseded = (ticket: number): boolean => ticket + size < claimed;
  return {
    memory,
    size,
    claim() {
      const flag = Atomics.load(flags, claimed % size);
      if (flag === waiting || flag === givenUp) return undefined;
      Atomics.store(flags, claimed % size, waiting);
      claimed += 1;
      return claimed - 1;
    },
    giveUp: ticket =>
      !superseded(ticket) && Atomics.compareExchange(flags, ticket % size, waiting, givenUp) === waiting,
    release: ticket => void Atomics.store(flags, ticket % size, free),
    begin(ticket) {
      if (Atomics.compareExchange(flags, ticket % size, waiting, begun) === waiting) return true;
      Atomics.store(flags, ticket % size, free);
      return false;
    },
  };
}
