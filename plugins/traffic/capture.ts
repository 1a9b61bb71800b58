/**
 * What is taken down of calls as they pass: a client's request and answer at the HTTP server, the gateway's to an instance
 * from the bus. Here it is only numbered and handed on, many at once, to the thread that reads it.
 */
import type { IncomingMessage } from 'node:http';
import { traceOf } from '../../schemas/traceparent.ts';
import type { Hop } from '../gateway/hop-api.ts';
import type { Batch, Body, Item, Names, Place } from './handed.ts';
import { mayBringCalls } from './messages.ts';
import { answerHeadersOf, headersOf } from './safe-http.ts';
import { type Exchange, exchangeOf, type Passing, type Taken } from './tap.ts';

export interface CaptureDeps {
  readonly capacity: number;
  readonly maxBodyBytes: number;
  nowNs(): number;
  /** Gives them to who reads them; `handled` is called once that is done. False where nobody can. */
  handOver(items: readonly Item[], ended: Batch['ended']): boolean;
  /** For people, once for each trouble. */
  tell(sentence: string): void;
}

export type Capture = ReturnType<typeof createCapture>;

/** Under which a hop has its number: the same object comes when it ends. */
const numbered = Symbol('traffic');

interface Numbered {
  [numbered]?: number;
}

/** One that is made when it is handed on: what is known of its call may come a moment later. */
type Waiting = Item | (() => Item);

/**
 * What comes in the meantime is handed on together, unless it is much. Not for longer: what waits is copied by each collection
 * of garbage, of which a busy gateway has one every 50 ms.
 */
const gatherMs = 5;
const gatherBytes = 256 * 1024;
/** Of all that is not read yet, whatever its number. */
const mostBytes = 64 * 1024 * 1024;

export function createCapture({ capacity, maxBodyBytes, nowNs, handOver, tell }: CaptureDeps) {
  let last = 0;
  let waiting: Waiting[] = [];
  let gathered = 0;
  let ended = { exchanges: [] as number[], hops: [] as number[] };
  let timer: NodeJS.Timeout | undefined;
  /** Of what waits, and of what was handed on and is not read yet. */
  let bytes = 0;
  const away: { count: number; bytes: number }[] = [];
  let count = 0;
  let dropping = 0;
  let dropped = 0;

  const give = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0 && ended.exchanges.length === 0 && ended.hops.length === 0) return;
    const items = waiting.map(each => (typeof each === 'function' ? each() : each));
    away.push({ count: items.length, bytes: gathered });
    const over = ended;
    [waiting, gathered, ended] = [[], 0, { exchanges: [], hops: [] }];
    if (!handOver(items, over)) lose(handled(), 'nobody reads what is captured');
  };

  const lose = (frames: number, why: string): void => {
    if (dropping === 0) tell(`${why}: newer frames are dropped`);
    dropping += frames;
    dropped += frames;
  };

  /** The oldest batch was read, or lost; gives how much was in it. */
  const handled = (): number => {
    const batch = away.shift() ?? { count: 0, bytes: 0 };
    count -= batch.count;
    bytes -= batch.bytes;
    if (dropping > 0 && count * 2 <= capacity) {
      tell(`traffic is captured again: ${dropping} frames were dropped`);
      dropping = 0;
    }
    return batch.count;
  };

  /** False when there was no room for it. */
  const offer = (size: number, item: Waiting): boolean => {
    if (count >= capacity || bytes + size > mostBytes) {
      lose(1, `${count} frames wait to be captured`);
      return false;
    }
    waiting.push(item);
    count += 1;
    bytes += size;
    gathered += size;
    // Not in the turn of a call.
    if (gathered < gatherBytes) timer ??= setTimeout(give, gatherMs);
    else if (gathered - size < gatherBytes) setImmediate(give);
    return true;
  };

  /** Holds nothing of the request, which would live on until it is handed on. */
  const sent = (exchange: Exchange, taken: Taken, what: 'sent' | 'passed on', text: string | null): Waiting => {
    const { door, path, sentNs, request } = exchange;
    const body: Body = [exchange.sent.size, text];
    const headers = headersOf(request);
    const session = sessionOf(request);
    return () => {
      const { number, requestId, traceId, passedOn, rpcId } = taken;
      taken.handed = true;
      return [what, number, door, path, sentNs, [requestId, traceId, session], headers, body, passedOn, rpcId];
    };
  };

  const known = (exchange: Exchange): Taken => {
    if (exchange.taken === undefined) {
      last += 1;
      const { 'x-request-id': id, traceparent } = exchange.request.headers;
      const traceId = traceparent === undefined ? undefined : traceOf(traceparent)?.traceId;
      const more = { passedOn: null, rpcId: undefined, handed: false };
      exchange.taken = { number: last, requestId: textOf(id), traceId, ...more };
    }
    return exchange.taken;
  };

  return {
    /** Frames that found no room. */
    dropped: (): number => dropped,
    give,
    handled,
    lose,
    sent(exchange: Exchange): void {
      const { door, sent: body } = exchange;
      const text = textIn(body);
      // One that is too long to be read is a call over REST, and may be one over MCP: nobody can say.
      exchange.ignored = text === null ? door === 'mcp' : !mayBringCalls(door, text);
      if (exchange.ignored) return;
      const taken = known(exchange);
      exchange.ignored = !offer(text?.length ?? 0, sent(exchange, taken, 'sent', text));
    },
    answered(exchange: Exchange): void {
      const { taken, answered, path, status, answeredNs } = exchange;
      if (taken === undefined) return;
      const size = answered.truncated ? 0 : answered.size;
      const body: Body = [answered.size, textIn(answered)];
      const { requestId, traceId, number } = taken;
      const names: Names = [requestId, traceId, sessionOf(exchange.request)];
      const about = [names, answerHeadersOf(exchange), body, exchange.response.writableEnded] as const;
      const taking = offer(size, ['answered', number, path, status, answeredNs, ...about]);
      if (!taking) ended.exchanges.push(taken.number);
    },
    /** A call goes to an instance: the gateway's own, with its text, or one that the proxy passes on. */
    begun(hop: Hop, text: string | undefined): void {
      const { request, rpc_id = null, request_id, trace_id, session_id, instance_id, dcc_type, url } = hop;
      const exchange = request && exchangeOf(request);
      if (exchange?.ignored) return;
      const taken = exchange && known(exchange);
      if (taken) {
        taken.requestId = request_id ?? taken.requestId;
        taken.traceId = trace_id ?? taken.traceId;
      }
      const place: Place = [instance_id, dcc_type, url];
      if (text === undefined) {
        if (!exchange || !taken) return;
        taken.passedOn = place;
        if (!taken.handed) return;
        const again = textIn(exchange.sent);
        offer(again?.length ?? 0, sent(exchange, taken, 'passed on', again));
        return;
      }
      if (taken) taken.rpcId = rpc_id ?? undefined;
      last += 1;
      const number = last;
      const ns = nowNs();
      const names: Names = [request_id, trace_id, session_id];
      const body = bodyOf(text, maxBodyBytes);
      const taking = offer(text.length, ['begun', number, taken?.number ?? 0, rpc_id, names, place, ns, body]);
      if (taking) (hop as Numbered)[numbered] = number;
    },
    ended(hop: Hop, text: string): void {
      const number = (hop as Numbered)[numbered];
      if (number === undefined) return;
      const ns = nowNs();
      if (!offer(text.length, ['ended', number, ns, bodyOf(text, maxBodyBytes)])) ended.hops.push(number);
    },
  };
}

function sessionOf({ headers }: IncomingMessage): string | undefined {
  return textOf(headers['mcp-session-id'] ?? headers['x-session-id']);
}

function bodyOf(text: string, limit: number): Body {
  const size = Buffer.byteLength(text);
  return [size, size > limit ? null : text];
}

/** Text of what passed, where all of it was kept. */
const textIn = (body: Passing): string | null => (body.truncated ? null : body.text());

const textOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;
