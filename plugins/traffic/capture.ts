/**
 * What is taken down of calls as they pass: a client's request and answer at the HTTP server, the gateway's to an instance
 * from the bus. Here the legs of one call find each other; they are read in the background.
 */
import type { IncomingMessage } from 'node:http';
import { parsed } from '../../schemas/loose.ts';
import { traceOf } from '../../schemas/traceparent.ts';
import type { Hop } from '../gateway/hop-api.ts';
import type { Leg } from './events.ts';
import { answersIn, type CallId, type CallMessage, callsIn } from './messages.ts';
import type { Body, Passed } from './passed.ts';
import { createQueue } from './queue.ts';
import { headerOf, safeHeaders, safeText } from './safe-http.ts';
import type { Exchange, Passing } from './tap.ts';

export interface CaptureDeps {
  readonly capacity: number;
  readonly maxBodyBytes: number;
  uuid(): string;
  nowNs(): number;
  onPassed(passed: Passed): void;
  /** For people, once for each trouble. */
  tell(sentence: string): void;
}

export type Capture = ReturnType<typeof createCapture>;

interface Call {
  readonly id: CallId;
  readonly capture_id: string;
}

/** A request until it has its answer. */
export interface Taken {
  /** The calls in it, once it is read. */
  calls: Call[] | undefined;
  request_id: string | undefined;
  trace_id: string | undefined;
  /** Where the proxy passes it on. */
  passedOn: Hop | undefined;
  /** What was read. */
  read: Exchange | undefined;
  /** No call, or there was no room for it. */
  ignored: boolean;
}

type Item =
  | { readonly what: 'sent' | 'answered'; readonly exchange: Exchange; readonly taken: Taken }
  | { readonly what: 'passed on'; readonly taken: Taken; readonly to: Hop }
  | { readonly what: 'begun' | 'ended'; readonly hop: Hop; readonly text: string; readonly ns: number };

export function createCapture({ capacity, maxBodyBytes, uuid, nowNs, onPassed, tell }: CaptureDeps) {
  const requests = new WeakMap<IncomingMessage, Taken>();
  /** Of hops that no request is known for. */
  const alone = new WeakMap<Hop, string>();

  const takenOf = (request: IncomingMessage): Taken => {
    let taken = requests.get(request);
    if (!taken) {
      const [request_id, trace_id] = [
        headerOf(request)('x-request-id'),
        traceOf(headerOf(request)('traceparent'))?.traceId,
      ];
      taken = {
        calls: undefined,
        request_id: request_id && safeText(request_id),
        trace_id,
        passedOn: undefined,
        read: undefined,
        ignored: false,
      };
      requests.set(request, taken);
    }
    return taken;
  };

  const captureId = (): string => `cap_${uuid()}`;

  const passing = (body: Passing, data: unknown): Body =>
    body.truncated ? { size: body.size, raw: null, data: null } : { size: body.size, raw: body.text(), data };

  /** Legs of one call that brought or answered it, over the same body. */
  const tellLegs = (exchange: Exchange, taken: Taken, call: Call, body: Body, legs: readonly Leg[]): void => {
    const { passedOn: hop, request_id = exchange.header('x-request-id'), trace_id } = taken;
    const { request, path, status, sentNs, answeredNs } = exchange;
    const read = headerOf(request);
    const session = read('mcp-session-id') ?? read('x-session-id') ?? exchange.header('mcp-session-id');
    for (const leg of legs) {
      const answer = leg === 'adapter_to_gateway' || leg === 'gateway_to_client';
      const theirs = hop && leg.includes('adapter');
      const headers = safeHeaders(answer ? exchange.header : read);
      onPassed({
        ...{ ...call, leg, request_id, trace_id, session_id: session && safeText(session) },
        ...{ instance_id: hop?.instance_id, dcc_type: hop?.dcc_type, ns: answer ? answeredNs : sentNs },
        http: { method: 'POST', url: theirs ? pathOf(hop.url) : safeText(path), headers, ...(answer && { status }) },
        // Redaction changes what it is given.
        body: legs.length > 1 ? { ...body, data: structuredClone(body.data) } : body,
      });
    }
  };

  const tellSent = (exchange: Exchange, taken: Taken, calls: readonly CallMessage[], legs: readonly Leg[]): void => {
    for (const [index, call] of (taken.calls ?? []).entries()) {
      tellLegs(exchange, taken, call, passing(exchange.sent, calls[index]?.data), legs);
    }
  };

  const callsOf = ({ sent, door }: Exchange): CallMessage[] => {
    if (!sent.truncated) return callsIn(door, sent.text());
    // One that is too long to be read is a call over REST, and may be one over MCP: nobody can say.
    return door === 'rest' ? [{ id: null, data: null }] : [];
  };

  const readSent = (exchange: Exchange, taken: Taken): void => {
    const calls = callsOf(exchange);
    taken.calls = calls.map(({ id }) => ({ id, capture_id: captureId() }));
    taken.ignored = calls.length === 0;
    taken.read = exchange;
    const onward: Leg[] = taken.passedOn ? ['gateway_to_adapter'] : [];
    tellSent(exchange, taken, calls, ['client_to_gateway', ...onward]);
  };

  /** The proxy passes it on; of a long one that is known before it has come whole. */
  const readPassedOn = (taken: Taken, hop: Hop): void => {
    taken.passedOn = hop;
    if (taken.read && !taken.ignored) tellSent(taken.read, taken, callsOf(taken.read), ['gateway_to_adapter']);
  };

  const readAnswered = (exchange: Exchange, taken: Taken): void => {
    const { calls = [] } = taken;
    const { answered, door, status } = exchange;
    // Nothing was sent to a client that had gone.
    if (status === 0 || calls.length === 0) return;
    const ids = calls.map(each => each.id);
    const type = exchange.header('content-type') ?? '';
    const answers = answered.truncated ? ids.map(() => null) : answersIn(door, { type, text: answered.text() }, ids);
    const back: Leg[] = taken.passedOn ? ['adapter_to_gateway'] : [];
    for (const [index, call] of calls.entries()) {
      if (answers[index] === undefined) continue;
      tellLegs(exchange, taken, call, passing(answered, answers[index]), [...back, 'gateway_to_client']);
    }
  };

  const readHop = ({ what, hop, text, ns }: Extract<Item, { hop: Hop }>): void => {
    const taken = hop.request && requests.get(hop.request);
    if (taken?.ignored) return;
    const of = taken?.calls?.find(each => each.id === hop.rpc_id) ?? taken?.calls?.[0];
    const capture_id = of?.capture_id ?? alone.get(hop) ?? captureId();
    alone.set(hop, capture_id);
    const size = Buffer.byteLength(text);
    const { instance_id, dcc_type, request_id, trace_id, session_id, url } = hop;
    onPassed({
      ...{ capture_id, request_id, trace_id, session_id, instance_id, dcc_type, ns, id: null },
      leg: what === 'begun' ? 'gateway_to_adapter' : 'adapter_to_gateway',
      http: { method: 'POST', url: pathOf(url), headers: {} },
      body: size > maxBodyBytes ? { size, raw: null, data: null } : { size, raw: text, data: parsed(text) },
    });
  };

  const queue = createQueue<Item>({
    ...{ capacity, tell },
    weight: item => ('hop' in item ? item.text.length : 'to' in item ? 0 : weightOf(item)),
    handle(item) {
      if ('hop' in item) readHop(item);
      else if ('to' in item) readPassedOn(item.taken, item.to);
      else if (item.what === 'sent') readSent(item.exchange, item.taken);
      else readAnswered(item.exchange, item.taken);
    },
  });

  return {
    /** Frames that found no room. */
    dropped: queue.dropped,
    /** Resolves when nothing waits to be read any more, or after some time. */
    flush: queue.flush,
    sent(exchange: Exchange): void {
      const taken = takenOf(exchange.request);
      taken.ignored = !queue.offer({ what: 'sent', exchange, taken });
    },
    answered(exchange: Exchange): void {
      const taken = requests.get(exchange.request);
      if (taken && !taken.ignored) queue.offer({ what: 'answered', exchange, taken });
    },
    /** A call goes to an instance: the gateway's own, with its text, or one that the proxy passes on. */
    begun(hop: Hop, text: string | undefined): void {
      const taken = hop.request && takenOf(hop.request);
      if (taken) {
        taken.request_id = hop.request_id ?? taken.request_id;
        taken.trace_id = hop.trace_id ?? taken.trace_id;
        if (text === undefined) queue.offer({ what: 'passed on', taken, to: hop });
      }
      if (text !== undefined) queue.offer({ what: 'begun', hop, text, ns: nowNs() });
    },
    ended: (hop: Hop, text: string): void => void queue.offer({ what: 'ended', hop, text, ns: nowNs() }),
  };
}

const weightOf = ({ what, exchange }: Extract<Item, { exchange: Exchange }>): number => {
  const body = what === 'sent' ? exchange.sent : exchange.answered;
  return body.truncated ? 0 : body.size;
};

const pathOf = (url: string): string => safeText(URL.canParse(url) ? new URL(url).pathname : url);
