/** How much of the server one caller may have: requests in a minute, requests and event streams at once. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { SvcError } from '../../kernel/index.ts';
import type { Settings } from './config.ts';
import { guardErrors } from './errors.ts';

const minuteMs = 60_000;
/** Callers that are remembered at once. */
const most = 10_000;

export class Account {
  begun = 0;
  count = 0;
  before = 0;
  requests = 0;
  streams = 0;
}

type Accounts = LRUCache<string, Account>;
export type Limits = ReturnType<typeof createLimits>;
type Input = Pick<Settings, 'rate_limit_per_minute' | 'max_requests_per_caller' | 'max_streams_per_caller'>;

export function createLimits(limits: Input, now: () => number = Date.now) {
  const { rate_limit_per_minute: rate, max_requests_per_caller: requests, max_streams_per_caller: streams } = limits;
  /** Two lists: whoever comes from many addresses makes nobody's account be forgotten. */
  const [callers, strangers] = [0, 1].map(() => new LRUCache<string, Account>({ max: most })) as [Accounts, Accounts];

  const accountIn = (accounts: Accounts, key: string): Account => {
    const known = accounts.get(key) ?? new Account();
    if (known.begun === 0) accounts.set(key, known);
    return known;
  };

  /** A rolling minute: of the minute before, the part that has not passed yet counts. */
  const paced = (account: Account): SvcError | undefined => {
    const at = now();
    const passed = at - account.begun;
    if (passed >= minuteMs) {
      account.before = passed < 2 * minuteMs ? account.count : 0;
      account.begun = passed < 2 * minuteMs ? account.begun + minuteMs : at;
      account.count = 0;
    }
    const share = 1 - (at - account.begun) / minuteMs;
    if (account.before * share + account.count >= rate) {
      const retry_after_secs = Math.max(1, Math.ceil((minuteMs - (at - account.begun)) / 1000));
      return guardErrors.RATE_LIMITED({ limit: rate, retry_after_secs });
    }
    account.count += 1;
    return undefined;
  };

  return {
    /** Of a caller, by its id. */
    account: (id: string): Account => accountIn(callers, id),
    /** Counts a request by the minute alone: one of nobody that is known, by its address. */
    pace: (peer: string): SvcError | undefined => (rate > 0 ? paced(accountIn(strangers, peer)) : undefined),
    /** Counts a message that came on a connection of its caller, until it is answered. */
    begin(account: Account): SvcError | undefined {
      const fast = rate > 0 ? paced(account) : undefined;
      if (fast) return fast;
      if (requests > 0 && account.requests >= requests) {
        return guardErrors.TOO_MANY_REQUESTS({ limit: requests, retry_after_secs: 1 });
      }
      account.requests += 1;
      return undefined;
    },
    /** Counts a request until its answer has ended. */
    enter(account: Account, request: IncomingMessage, response: ServerResponse | undefined): SvcError | undefined {
      const fast = rate > 0 ? paced(account) : undefined;
      if (fast) return fast;
      const kind = isStream(request) ? 'streams' : 'requests';
      const limit = kind === 'streams' ? streams : requests;
      if (limit === 0 || !response) return undefined;
      if (account[kind] >= limit) {
        const refusal = kind === 'streams' ? guardErrors.TOO_MANY_STREAMS : guardErrors.TOO_MANY_REQUESTS;
        return refusal({ limit, retry_after_secs: 1 });
      }
      account[kind] += 1;
      (response as Counted)[counted] = account;
      response.on('close', kind === 'streams' ? leaveStream : leaveRequest);
      return undefined;
    },
  };
}

/** On the response itself, and one listener for all: what each request would make of its own is what counting would cost. */
const counted = Symbol('account');
type Counted = ServerResponse & { [counted]?: Account };

function leaveRequest(this: Counted): void {
  if (this[counted]) this[counted].requests -= 1;
}

function leaveStream(this: Counted): void {
  if (this[counted]) this[counted].streams -= 1;
}

/** One that lasts as long as its client wants. */
export const isStream = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET'
    ? headers.accept?.includes('text/event-stream') === true
    : headers['mcp-method'] === 'subscriptions/listen';

/** The address that asks; `depth` proxies in front are trusted to say so. */
export function peerOf({ socket, headers }: IncomingMessage, depth: number): string {
  const told = depth === 0 ? undefined : headers['x-forwarded-for'];
  const chain = told === undefined ? [] : String(told).split(',');
  return chain.at(-depth)?.trim() || (socket.remoteAddress ?? '');
}
