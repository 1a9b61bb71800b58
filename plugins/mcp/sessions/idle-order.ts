/**
 * Sessions without an open event stream, idlest first, within a bound of memory. The list runs through the sessions
 * themselves: a request moves its session to the end for a few pointers, and the idlest is found without a search.
 */
import type { Session } from './session.ts';

/** What a session costs beside what its client told and what is kept for it (`npm run bench -- sessions-memory`). */
const sessionBytes = 1024;

/** The links of a session in the list. */
export class Place {
  older: Session | undefined;
  newer: Session | undefined;
  /** As weighed when it was placed; 0 while it is not in the list. */
  weight = 0;
}

export class IdleOrder {
  #idlest: Session | undefined;
  #newest: Session | undefined;
  #bytes = 0;
  readonly #maxBytes: number;
  readonly #evict: (session: Session) => void;

  constructor(maxBytes: number, evict: (session: Session) => void) {
    this.#maxBytes = maxBytes;
    this.#evict = evict;
  }

  /** Makes a session the newest, and lets the idlest go when all of them together have become too heavy. */
  renew(session: Session): void {
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

  remove(session: Session): void {
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

  #unlink({ place }: Session): void {
    const { older, newer } = place;
    if (older) older.place.newer = newer;
    else this.#idlest = newer;
    if (newer) newer.place.older = older;
    else this.#newest = older;
    place.older = place.newer = undefined;
  }
}
