/**
 * What is taken down of calls as they pass: a client's request and answer at the HTTP server, the gateway's to an instance
 * from the bus. Here it is only numbered and handed on, many at once, to the thread that reads it.
 */
import { type Tape, type TapeMemory, TapeWriter } from '../../schemas/tape.ts';
import type { Hop } from '../gateway/hop-api.ts';
import type { Batch, Body, Item, Names, Place } from './handed.ts';
import { mayBringCalls } from './messages.ts';
import { pack } from './packed.ts';
import { answerHeadersOf, headersOf } from './safe-http.ts';
import { type Exchange, exchangeOf, type Passing } from './tap.ts';

/** What is handed on together. */
export interface Gathered {
  readonly items: Tape;
  readonly ended: Batch['ended'];
}

export interface CaptureDeps {
  readonly capacity: number;
  readonly maxBodyBytes: number;
  nowNs(): number;
  /** Gives it to who reads it; `handled` is called once that is done. False where nobody can. */
  handOver(gathered: Gathered): boolean;
  /** For people, once for each trouble. */
  tell(sentence: string): void;
}

export type Capture = ReturnType<typeof createCapture>;

/** Under which a hop has its number: the same object comes when it ends. */
const numbered = Symbol('traffic');

interface Numbered {
  [numbered]?: number;
}

/** What comes in the meantime is handed on together, unless it is much. */
const gatherMs = 25;
const gatherBytes = 256 * 1024;
/** Of all that is not read yet, whatever its number. */
const mostBytes = 64 * 1024 * 1024;

export function createCapture({ capacity, maxBodyBytes, nowNs, handOver, tell }: CaptureDeps) {
  const tape = new TapeWriter();
  let last = 0;
  let batch = 1;
  let [gatheredItems, gathered] = [0, 0];
  let ended = { exchanges: [] as number[], hops: [] as number[] };
  let timer: NodeJS.Timeout | undefined;
  /** Of what is gathered, and of what was handed on and is not read yet. */
  let bytes = 0;
  const away: { count: number; bytes: number }[] = [];
  let count = 0;
  let dropping = 0;
  let dropped = 0;

  const give = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (gatheredItems === 0 && ended.exchanges.length === 0 && ended.hops.length === 0) return;
    away.push({ count: gatheredItems, bytes: gathered });
    const over = ended;
    [gatheredItems, gathered, ended] = [0, 0, { exchanges: [], hops: [] }];
    batch += 1;
    if (!handOver({ items: tape.take(), ended: over })) lose(handled(), 'nobody reads what is captured');
  };

  const lose = (frames: number, why: string): void => {
    if (dropping === 0) tell(`${why}: newer frames are dropped`);
    dropping += frames;
    dropped += frames;
  };

  /** The oldest batch was read, and its memory has come back, or it was lost; gives how much was in it. */
  const handled = (memory?: TapeMemory): number => {
    if (memory) tape.reuse(memory);
    const read = away.shift() ?? { count: 0, bytes: 0 };
    count -= read.count;
    bytes -= read.bytes;
    if (dropping > 0 && count * 2 <= capacity) {
      tell(`traffic is captured again: ${dropping} frames were dropped`);
      dropping = 0;
    }
    return read.count;
  };

  /** False when there was no room for it. */
  const offer = (size: number, item: Item): boolean => {
    if (count >= capacity || bytes + size > mostBytes) {
      lose(1, `${count} frames wait to be captured`);
      return false;
    }
    pack(item, tape);
    gatheredItems += 1;
    count += 1;
    bytes += size;
    gathered += size;
    // Not in the turn of a call.
    if (gathered < gatherBytes) timer ??= setTimeout(give, gatherMs);
    else if (gathered - size < gatherBytes) setImmediate(give);
    return true;
  };

  const sent = (exchange: Exchange, number: number, text: string | null): boolean => {
    const { door, path, sentNs, request } = exchange;
    const body: Body = [exchange.sent.size, text];
    return offer(text?.length ?? 0, ['sent', number, door, path, sentNs, headersOf(request), body]);
  };

  /** The proxy may begin before all of the request is there. */
  const passedOn = (exchange: Exchange, place: Place): void => {
    const { taken } = exchange;
    exchange.passedOn = place;
    if (taken === undefined) return;
    if (taken.batch !== batch) sent(exchange, taken.number, textIn(exchange.sent));
    offer(0, ['passed on', taken.number, place]);
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
      last += 1;
      exchange.ignored = !sent(exchange, last, text);
      if (exchange.ignored) return;
      exchange.taken = { number: last, batch };
      if (exchange.passedOn) passedOn(exchange, exchange.passedOn);
    },
    answered(exchange: Exchange): void {
      const { taken, answered, status, answeredNs, response } = exchange;
      if (taken === undefined) return;
      const size = answered.truncated ? 0 : answered.size;
      const body: Body = [answered.size, textIn(answered)];
      const about = [answerHeadersOf(exchange), body, response.writableEnded] as const;
      const taking = offer(size, ['answered', taken.number, status, answeredNs, ...about]);
      if (!taking) ended.exchanges.push(taken.number);
    },
    /** A call goes to an instance: the gateway's own, with its text, or one that the proxy passes on. */
    begun(hop: Hop, text: string | undefined): void {
      const { request, rpc_id = null, request_id, trace_id, session_id, instance_id, dcc_type, url } = hop;
      const exchange = request && exchangeOf(request);
      if (exchange?.ignored) return;
      const names: Names = [request_id, trace_id, session_id];
      const place: Place = [instance_id, dcc_type, url];
      if (text === undefined) {
        if (exchange) passedOn(exchange, place);
        return;
      }
      last += 1;
      const number = last;
      const body = bodyOf(text, maxBodyBytes);
      const of = exchange?.taken?.number ?? 0;
      const taking = offer(text.length, ['begun', number, of, rpc_id, names, place, nowNs(), body]);
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

function bodyOf(text: string, limit: number): Body {
  const size = Buffer.byteLength(text);
  return [size, size > limit ? null : text];
}

/** Text of what passed, where all of it was kept. */
const textIn = (body: Passing): string | null => (body.truncated ? null : body.text());
