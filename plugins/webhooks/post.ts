/** One attempt of a delivery: POST, the status decides, the answer's body is not read. */
import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';

export interface Parcel {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Poster {
  /** Rejects with why it was not delivered. */
  post(parcel: Parcel, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Of an answer that is longer the connection is ended. */
const readAtMost = 65_536;

export function createPoster(refusePrivate: boolean): Poster {
  const agent = new Agent({
    connections: 4,
    keepAliveTimeout: 10_000,
    maxResponseSize: -1,
    ...(refusePrivate && { connect: { lookup: publicLookup } }),
  });
  return {
    async post({ url, headers, body }, signal) {
      // A number in the address is not looked up.
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
      if (refusePrivate && isIP(host) !== 0 && !isPublic(host)) throw new Error(refusal(host));
      const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body, signal });
      void answer.body.dump({ limit: readAtMost }).catch(() => undefined);
      const { statusCode } = answer;
      // Followed, a redirect would take the headers, and with them what they authorise, to somebody else.
      if (statusCode >= 300) {
        throw new Error(`it answered ${statusCode}${statusCode < 400 ? ', and redirects are not followed' : ''}`);
      }
    },
    close: () => agent.destroy(),
  };
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
