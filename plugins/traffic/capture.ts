/**
 * What is taken down of calls as they pass: a client's request and answer at the HTTP server, the gateway's to an instance
 * from the bus. In the turn of a call it is only numbered and noted; what was noted is packed a moment later, many at once,
 * and handed on to the thread that reads it.
 */
import { type Tape, type TapeMemory, TapeWriter } from '../../schemas/tape.ts';
import type { Hop } from '../gateway/hop-api.ts';
import type { Batch, Place } from './handed.ts';
import { bringsCalls } from './messages.ts';
import { type Noted, packNoted } from './noted.ts';
import { type Exchange, exchangeOf } from './tap.ts';

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

/** Packed together: what was noted this long is not copied by the garbage collection, mostly. */
const packMs = 5;
/** What comes in the meantime is handed on together, unless it is much: each time wakes another thread. */
const gatherMs = 50;
const gatherBytes = 512 * 1024;
/** Of all that is not read yet, whatever its number. */
const mostBytes = 64 * 1024 * 1024;

export function createCapture({ capacity, maxBodyBytes, nowNs, handOver, tell }: CaptureDeps) {
  const tape = new TapeWriter();
  let noted: Noted[] = [];
  let packing: NodeJS.Timeout | undefined;
  let last = 0;
  let batch = 1;
  let [gatheredItems, gathered] = [0, 0];
  let ended = { exchanges: [] as number[], hops: [] as number[] };
  let giving: NodeJS.Timeout | undefined;
  /** Of what is gathered, and of what was handed on and is not read yet. */
  let bytes = 0;
  const away: { count: number; bytes: number }[] = [];
  let count = 0;
  let dropping = 0;
  let dropped = 0;

  const pack = (): void => {
    clearTimeout(packing);
    packing = undefined;
    for (const each of noted) packNoted(each, maxBodyBytes, tape);
    noted = [];
  };

  const give = (): void => {
    clearTimeout(giving);
    giving = undefined;
    pack();
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
  const note = (size: number, item: Noted): boolean => {
    if (count >= capacity || bytes + size > mostBytes) {
      lose(1, `${count} frames wait to be captured`);
      return false;
    }
    noted.push(item);
    gatheredItems += 1;
    count += 1;
    bytes += size;
    gathered += size;
    packing ??= setTimeout(pack, packMs);
    // Not in the turn of a call.
    if (gathered < gatherBytes) giving ??= setTimeout(give, gatherMs);
    else if (gathered - size < gatherBytes) setImmediate(give);
    return true;
  };

  const sent = (exchange: Exchange, number: number): boolean => note(exchange.sent.kept, ['sent', number, exchange]);

  /** The proxy may begin before all of the request is there. */
  const passedOn = (exchange: Exchange, place: Place): void => {
    const { taken } = exchange;
    exchange.passedOn = place;
    if (taken === undefined) return;
    if (taken.batch !== batch) sent(exchange, taken.number);
    note(0, ['passed on', taken.number, place]);
  };

  return {
    /** Frames that found no room. */
    dropped: (): number => dropped,
    give,
    handled,
    lose,
    sent(exchange: Exchange): void {
      const { door, sent: body } = exchange;
      // One that is too long to be read is a call over REST, and may be one over MCP: nobody can say.
      exchange.ignored = body.truncated ? door === 'mcp' : !bringsCalls(door, body);
      if (exchange.ignored) return;
      last += 1;
      exchange.ignored = !sent(exchange, last);
      if (exchange.ignored) return;
      exchange.taken = { number: last, batch };
      if (exchange.passedOn) passedOn(exchange, exchange.passedOn);
    },
    answered(exchange: Exchange): void {
      const { taken, answered, response } = exchange;
      if (taken === undefined) return;
      const taking = note(answered.kept, ['answered', taken.number, exchange, response.writableEnded]);
      if (!taking) ended.exchanges.push(taken.number);
    },
    /** A call goes to an instance: the gateway's own, with its text, or one that the proxy passes on. */
    begun(hop: Hop, text: string | undefined): void {
      const exchange = hop.request && exchangeOf(hop.request);
      if (exchange?.ignored) return;
      if (text === undefined) {
        if (exchange) passedOn(exchange, [hop.instance_id, hop.dcc_type, hop.url]);
        return;
      }
      last += 1;
      const number = last;
      const taking = note(text.length, ['begun', number, exchange?.taken?.number ?? 0, hop, nowNs(), text]);
      if (taking) (hop as Numbered)[numbered] = number;
    },
    ended(hop: Hop, text: string): void {
      const number = (hop as Numbered)[numbered];
      if (number === undefined) return;
      if (!note(text.length, ['ended', number, nowNs(), text])) ended.hops.push(number);
    },
  };
}
