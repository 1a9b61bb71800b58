/**
 * Sessions without an open event stream, idlest first, within a bound of memory. The list runs through the sessions
 * themselves: a request moves its session to the end for a few pointers, and the idlest is found without a search.
 */

/** What a session costs beside what its client told and what is kept for it (`npm run bench -- sessions-memory`). */
const sessionBytes = 1024;

/** The links of a session in the list. */
export class Place<S> {
  older: S | undefined;
  newer: S | undefined;
  /** As weighed when it was placed; 0 while it is not in the list. */
  weight = 0;
}

/** What the list asks of a session. */
interface Idler<S> {
  readonly place: Place<S>;
  readonly lastSeen: number;
  readonly busy: boolean;
  readonly heldBytes: number;
}

export class IdleOrder<S extends Idler<S>> {
  #idlest: S | undefined;
  #newest: S | undefined;
  #bytes = 0;
  readonly #maxBytes: number;
  readonly #evict: (session: S) => void;

  constructor(maxBytes: number, evict: (session: S) => void) {
    this.#maxBytes = maxBytes;
    this.#evict = evict;
  }

  /** Makes a session the newest, and lets the idlest go when all of them together have become too heavy. */
  renew(session: S): void {
    const { place } = session;
    if (this.#newest !== session) {
      if (place.weight > 0) this.#unlink(session);
      place.older = this.#newest;
      if (this.#newest) this.#newest.place.newer = session;
      else this.#idlest = session;
      this.#newest = session;
    }
    const weight = sessionBytes + session.heldBytes;
    this.#bytes += weight - place.weight;
    place.weight = weight;
    if (this.#bytes > this.#maxBytes) this.#trim();
  }

  remove(session: S): void {
    const { place } = session;
    if (place.weight === 0) return;
    this.#unlink(session);
    this.#bytes -= place.weight;
    place.weight = 0;
  }

  /** Lets go of the sessions that nothing has been heard of since `time`. */
  expire(time: number): void {
    let session = this.#idlest;
    while (session && session.lastSeen <= time) {
      const { newer } = session.place;
      if (!session.busy) this.#evict(session);
      session = newer;
    }
  }

  /** The newest stays whatever it weighs: it is the one that is being served. */
  #trim(): void {
    let session = this.#idlest;
    while (session && session !== this.#newest && this.#bytes > this.#maxBytes) {
      const { newer } = session.place;
      if (!session.busy) this.#evict(session);
      session = newer;
    }
  }

  #unlink({ place }: S): void {
    const { older, newer } = place;
    if (older) older.place.newer = newer;
    else this.#idlest = newer;
    if (newer) newer.place.older = older;
    else this.#newest = older;
    place.older = place.newer = undefined;
  }
}
