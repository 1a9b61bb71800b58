/** What was taken down of calls, read: the legs of one call find each other. */
import { InFlightById } from '../../schemas/in-flight-by-id.ts';
import { remembered } from '../../schemas/remembered.ts';
import { traceOf } from '../../schemas/traceparent.ts';
import type { Leg } from './events.ts';
import type { Body, Headers, Item, Names, Place } from './handed.ts';
import { answersIn, type CallId, type CallMessage, callsIn, type Door, type Said } from './messages.ts';
import type { Correlation, Passed, PassedBody } from './passed.ts';
import { headerIn, headersJson, safeText } from './safe-http.ts';

export interface LegsDeps {
  uuid(): string;
  onPassed(passed: Passed): void;
}

interface Call {
  readonly id: CallId;
  readonly capture_id: string;
  /** Of a batch of messages: each has names of its own. */
  known: Known | undefined;
}

/** A request until it has its answer. */
interface Exchange {
  readonly door: Door;
  readonly path: string;
  calls: readonly Call[];
  /** It is a batch, whose calls have other names than the request. */
  readonly several: boolean;
  known: Known;
  /** The names that the gateway has given are in `known`. */
  named: boolean;
  /** Where the proxy passes it on. */
  passedOn: Place | null;
  /** The gateway calls, and makes the answer itself. */
  own: boolean;
  /** What was sent, while it is not told. */
  sent: Sent | undefined;
}

interface Sent {
  readonly ns: number;
  readonly headers: Headers;
  readonly body: Body;
  /** The first leg is told. */
  readonly again: boolean;
}

/** Names, and what they come to: the legs of a call have the same. */
interface Known {
  readonly names: Names;
  readonly correlation: Correlation;
}

/** What the legs over one body have in common. */
interface Carried {
  readonly correlation: Correlation;
  readonly path: string;
  readonly status: number | undefined;
  readonly ns: number;
  readonly headers: Headers;
  readonly passedOn: Place | null;
}

interface Hop {
  readonly capture_id: string;
  readonly correlation: Correlation;
  readonly place: Place;
}

type Of<What> = Extract<Item, readonly [What, ...unknown[]]>;

// No object is spread here: this is done for every leg of every call.
export function createLegs({ uuid, onPassed }: LegsDeps) {
  const exchanges = new InFlightById<Exchange>();
  const hops = new InFlightById<Hop>();
  let untold: Exchange[] = [];
  const captureId = (): string => `cap_${uuid()}`;

  const tell = ({ id, capture_id, known }: Call, carried: Carried, legs: readonly Leg[], body: PassedBody): void => {
    const { path, status, ns, passedOn } = carried;
    const { correlation } = known ?? carried;
    const headers = headersJson(carried.headers);
    const instance = passedOn ? membersOf(passedOn[0], passedOn[1]) : '';
    for (const leg of legs) {
      const url = passedOn && leg.includes('adapter') ? addressJson(passedOn[2]) : pathJson(path);
      onPassed({ leg, capture_id, correlation, instance, ns, url, headers, status, id, body });
    }
  };

  /** What is known of a call comes a moment after it, mostly: its request is told then. */
  const tellSent = (exchange: Exchange, id?: CallId, own?: Known): void => {
    const { sent, door, path, known, passedOn } = exchange;
    exchange.sent = undefined;
    if (!sent) return;
    const { ns, headers, again } = sent;
    const [size, text] = sent.body;
    // One that is too long to be read is a call, as far as anybody can say.
    const messages: (CallMessage | undefined)[] = text === null ? [undefined] : callsIn(door, text, id);
    if (!again) {
      exchange.calls = messages.map(each => ({ id: each?.id ?? null, capture_id: captureId(), known: undefined }));
    }
    nameCall(exchange, id, own);
    const legs = again ? [] : firstLeg;
    const carried: Carried = { correlation: known.correlation, path, status: undefined, ns, headers, passedOn };
    for (const [index, call] of exchange.calls.entries()) {
      tell(call, carried, passedOn ? [...legs, 'gateway_to_adapter'] : legs, bodyOf(size, messages[index]));
    }
  };

  /** Each message of a batch is a request with a name of its own. */
  const nameCall = ({ several, calls }: Exchange, id: CallId | undefined, own: Known | undefined): void => {
    const call = several && id !== undefined ? calls.find(each => each.id === id) : undefined;
    if (call) call.known ??= own;
  };

  const sent = ([, number, door, path, ns, headers, body]: Of<'sent'>): void => {
    const before = exchanges.get(number);
    const now = { ns, headers, body, again: before !== undefined };
    const known = before?.known ?? knownBy(namesIn(headers), undefined);
    const several = door === 'rest' ? path.endsWith('/call_batch') : (body[1]?.startsWith('[') ?? false);
    const fresh = { door, path, several, known, named: false, calls: [], passedOn: null, own: false, sent: now };
    const exchange: Exchange = before ?? fresh;
    exchange.sent = now;
    exchanges.set(number, exchange);
    untold.push(exchange);
  };

  const passedOn = ([, number, place]: Of<'passed on'>): void => {
    const exchange = exchanges.get(number);
    if (!exchange) return;
    exchange.passedOn = place;
    tellSent(exchange);
  };

  const answered = ([, number, status, ns, headers, body, whole]: Of<'answered'>): void => {
    const [size, text] = body;
    const exchange = exchanges.get(number);
    exchanges.delete(number);
    if (exchange) tellSent(exchange);
    // Nothing was sent to a client that had gone.
    if (status === 0 || !exchange || exchange.calls.length === 0) return;
    const { calls, door, path, passedOn, own } = exchange;
    const ids = calls.map(each => each.id);
    const type = headerIn(headers, 'content-type') ?? '';
    const answers = text === null ? undefined : answersIn(door, { type, text, own: own && whole }, ids);
    const [id = headerIn(headers, 'x-request-id'), trace, session = headerIn(headers, 'mcp-session-id')] =
      exchange.known.names;
    const { correlation } = knownBy([id, trace, session], exchange.known);
    const legs: readonly Leg[] = passedOn ? ['adapter_to_gateway', 'gateway_to_client'] : lastLeg;
    const carried: Carried = { correlation, path, status, ns, headers, passedOn };
    for (const [index, call] of calls.entries()) {
      const said = answers?.[index];
      if (answers && said === undefined) continue;
      tell(call, carried, legs, bodyOf(size, said));
    }
  };

  const atHop = (leg: Leg, { capture_id, correlation, place }: Hop, ns: number, body: PassedBody): void => {
    const instance = membersOf(place[0], place[1]);
    const url = addressJson(place[2]);
    onPassed({ leg, capture_id, correlation, instance, ns, url, headers: '{}', status: undefined, id: null, body });
  };

  const begun = ([, number, of, rpcId, names, place, ns, [size, text]]: Of<'begun'>): void => {
    const exchange = exchanges.get(of);
    const own = knownBy(names, exchange?.known);
    if (exchange) {
      const { several, named } = exchange;
      const [id, trace, session] = exchange.known.names;
      const given = several ? id : (names[0] ?? id);
      if (!named) exchange.known = knownBy([given, names[1] ?? trace, session], exchange.known);
      exchange.named = true;
      exchange.own ||= rpcId !== null;
      tellSent(exchange, rpcId ?? undefined, own);
      nameCall(exchange, rpcId ?? undefined, own);
      if (exchange.calls.length === 0) return;
    }
    const call = exchange?.calls.find(each => each.id === rpcId) ?? exchange?.calls[0];
    const capture_id = call?.capture_id ?? captureId();
    const hop: Hop = { capture_id, correlation: own.correlation, place };
    hops.set(number, hop);
    atHop('gateway_to_adapter', hop, ns, bodyOf(size, made(text)));
  };

  const ended = ([, number, ns, [size, text]]: Of<'ended'>): void => {
    const hop = hops.get(number);
    hops.delete(number);
    if (hop) atHop('adapter_to_gateway', hop, ns, bodyOf(size, made(text)));
  };

  return {
    read(item: Item): void {
      if (item[0] === 'begun') begun(item);
      else if (item[0] === 'ended') ended(item);
      else if (item[0] === 'answered') answered(item);
      else if (item[0] === 'passed on') passedOn(item);
      else sent(item);
    },
    /** Tells what was sent in what has been read so far, also where nothing came of it yet. */
    settle(): void {
      for (const each of untold) tellSent(each);
      untold = [];
    },
    /** Nothing more comes of these. */
    forget(over: { exchanges: readonly number[]; hops: readonly number[] }): void {
      for (const each of over.exchanges) exchanges.delete(each);
      for (const each of over.hops) hops.delete(each);
    },
    /** Calls that are not over. */
    open: (): number => exchanges.size + hops.size,
  };
}

const firstLeg: readonly Leg[] = ['client_to_gateway'];
const lastLeg: readonly Leg[] = ['gateway_to_client'];

/** What a request says of itself. */
function namesIn(headers: Headers): Names {
  const trace = headerIn(headers, 'traceparent');
  const session = headerIn(headers, 'mcp-session-id') ?? headerIn(headers, 'x-session-id');
  return [headerIn(headers, 'x-request-id'), trace === undefined ? undefined : traceOf(trace)?.traceId, session];
}

const bodyOf = (size: number, said: Said | undefined): PassedBody => ({
  size,
  said,
  json: undefined,
  shown: undefined,
});

/** The gateway has made this text, of what it knows to be JSON: its value is looked at when it is needed. */
const made = (text: string | null): Said | undefined => (text === null ? undefined : { data: undefined, json: text });

/** What `names` come to, which may be known. */
function knownBy(names: Names, known: Known | undefined): Known {
  const [request_id, trace_id, session] = names;
  const [id, trace, own] = known?.names ?? [];
  if (known && id === request_id && trace === trace_id && own === session) return known;
  const told = session === undefined ? '' : sessionMember(session);
  const json = member('request_id', request_id && safeText(request_id)) + member('trace_id', trace_id) + told;
  return { names, correlation: { json: `{${json.slice(0, -1)}}`, session: told } };
}

/** A member of an object, before others. */
const member = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `"${name}":${JSON.stringify(value)},`;

const pathJson = remembered(path => JSON.stringify(safeText(path)));
const addressJson = remembered(url => JSON.stringify(safeText(URL.canParse(url) ? new URL(url).pathname : url)));
const idMember = remembered(id => member('instance_id', id));
const typeMember = remembered(type => member('dcc_type', type));
const sessionMember = remembered(session => member('session_id', safeText(session)));
const membersOf = (id: string, type: string): string => idMember(id) + typeMember(type);
