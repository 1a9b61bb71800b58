/** One attempt of a delivery: POST, the status decides; of the answer's body only the end matters. */
import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher } from 'undici';

export interface Parcel {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An attempt on its way. */
export interface Posting {
  /** Settles when its connection is free again; rejects with why it was not delivered. */
  readonly done: Promise<void>;
  /** Gives it up; what was answered already counts all the same. */
  stop(reason: Error): void;
}

export interface Poster {
  /** Throws for an address that nothing is ever sent to: what can be told without looking a name up. */
  check(url: URL): void;
  post(parcel: Parcel, timeoutMs: number): Posting;
  close(): Promise<void>;
}

/** Of an answer that is longer the connection is ended. */
const readAtMost = 65_536;

export function createPoster(refusePrivate: boolean): Poster {
  // Each webhook has one attempt at a time, so there is no limit for each address: those that hang would take it up.
  const agent = new Agent({
    keepAliveTimeout: 10_000,
    maxResponseSize: -1,
    ...(refusePrivate && { connect: { lookup: publicLookup } }),
  });
  return {
    check(url) {
      if (refusePrivate) refuseNumber(url);
    },
    post({ url, headers, body }, timeoutMs) {
      const attempt = new Attempt(timeoutMs);
      try {
        const path = `${url.pathname}${url.search}`;
        agent.dispatch({ origin: url.origin, path, method: 'POST', headers, body }, attempt);
      } catch (error) {
        attempt.stop(error as Error);
      }
      return attempt;
    },
    close: () => agent.destroy(),
  };
}

/** Below undici's `request`, which makes streams and signals for what is over with the status. */
class Attempt implements Posting, Dispatcher.DispatchHandler {
  readonly done: Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #settle: (error?: Error) => void = () => undefined;
  #abort: ((reason?: Error) => void) | undefined;
  #stopped: Error | undefined;
  #answered = false;
  #refusal: Error | undefined;
  #read = 0;

  constructor(timeoutMs: number) {
    this.done = new Promise((resolve, reject) => {
      this.#settle = error => (error ? reject(error) : resolve());
    });
    this.#timer = setTimeout(() => this.stop(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  }

  stop(reason: Error): void {
    this.#stopped = reason;
    this.#end(reason);
    this.#abort?.(reason);
  }

  #end(error?: Error): void {
    clearTimeout(this.#timer);
    this.#settle(this.#answered ? this.#refusal : error);
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.#abort = abort;
    if (this.#stopped) abort(this.#stopped);
  }

  onHeaders(status: number): boolean {
    // What comes before the answer itself.
    if (status < 200) return true;
    // Followed, a redirect would take the headers, and with them what they authorise, to somebody else.
    const why = status < 400 ? ', and redirects are not followed' : '';
    this.#refusal = status < 300 ? undefined : new Error(`it answered ${status}${why}`);
    this.#answered = true;
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.#read += chunk.length;
    if (this.#read > readAtMost) this.#abort?.(new Error('its answer is too long'));
    return true;
  }

  onComplete(): void {
    this.#end();
  }

  onError(error: Error): void {
    this.#end(error);
  }
}

/** A number in the address is not looked up. */
function refuseNumber({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw new Error(refusal(host));
}

/** Looked up and checked at once: a name that changes between the two cannot slip through. */
const publicLookup: typeof lookup = ((host: string, options: object, done: (...found: unknown[]) => void) => {
  lookup(host, { ...options, all: true }, (error, found = []) => {
    if (error) return done(error);
    const allowed = found.filter(each => isPublic(each.address));
    if (allowed.length === 0) return done(new Error(refusal(host)));
    if ((options as { all?: boolean }).all) return done(null, allowed);
    done(null, allowed[0]?.address, allowed[0]?.family);
  });
}) as typeof lookup;

const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast';

const refusal = (host: string): string => `${host} is no public address, and webhooks_refuse_private is on`;
