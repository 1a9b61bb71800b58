/** The session lifecycle: initialize opens a session, its id carries every later POST, GET listens, DELETE ends it. */
import {
  type Awaitable,
  after,
  idOf,
  isPromise,
  requestProblem,
  rpcErrors,
  type SvcError,
} from '../../../kernel/index.ts';
import { channelHeader } from '../../../schemas/channel.ts';
import { isGateway } from '../../../schemas/on-behalf.ts';
import { type Carrier, LineExchange } from '../channel/line-exchange.ts';
import { mcpErrors } from '../errors.ts';
import { type Connection, Exchange, type Exchanging } from '../exchange.ts';
import { sendEmpty, sendReply } from '../http-answer.ts';
import type { Handshake } from '../sessions/handshake.ts';
import type { Session } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Fanout } from '../streams/fanout.ts';
import { parseEventId } from '../streams/replay.ts';
import type { SseClient } from '../streams/sse-client.ts';
import type { SseClients } from '../streams/sse-clients.ts';
import { Batch } from './batch.ts';
import { isInitialize } from './era.ts';
import { hasBatches, primesStreams, versionProblem } from './revision.ts';
import { Request, type Sink } from './session-request.ts';
import type { Dispatch } from './traced-dispatch.ts';

type Message = Record<string, unknown>;

export interface SessionEraDeps {
  dispatch: Dispatch;
  sessions: Sessions;
  clients: SseClients;
  fanout: Fanout;
  handshake: Handshake;
  maxBatch: number;
  /** Who sends a request; undefined where nobody has to authenticate. */
  ownerOf(request: Connection['request']): string | undefined;
  /** The event that a standing stream begins with; empty for none. */
  greeting(): string;
}

export type SessionEra = ReturnType<typeof createSessionEra>;

export function createSessionEra(deps: SessionEraDeps) {
  const { sessions, clients, fanout, handshake, maxBatch, dispatch, ownerOf } = deps;

  const entered = (session: Session | undefined, request: Connection['request']): Session => {
    // Another's is none: an id proves nothing, and nobody learns that there is such a session.
    if (!session || session.owner !== ownerOf(request)) throw mcpErrors.SESSION_UNKNOWN();
    session.touch();
    return session;
  };

  const sessionOf = ({ request }: Connection): Awaitable<Session> => {
    const { headers } = request;
    const problem = versionProblem(headers['mcp-protocol-version']);
    if (problem) throw problem;
    const id = headers['mcp-session-id'];
    if (id === undefined) throw mcpErrors.SESSION_REQUIRED();
    const session = sessions.find(id as string);
    return isPromise(session) ? session.then(found => entered(found, request)) : entered(session, request);
  };

  /** Starts one request or notification; its answer goes to `sink`. */
  const start = (message: Message, exchange: Exchanging, sink: Sink): void => {
    const id = message.id as string | number | undefined;
    const request = new Request(id, exchange, sink, message.params);
    const outcome = dispatch(message, request, exchange.request.headers);
    if (id !== undefined && isPromise(outcome)) request.run(id, outcome);
    else request.finish(outcome as Exclude<typeof outcome, Promise<unknown>>);
  };

  /** Why a message cannot be served in this session; nothing for a request, notification or response. */
  const messageProblem = (message: unknown, session: Session): SvcError | undefined => {
    if (isResponse(message)) return undefined;
    const problem = requestProblem(message);
    if (problem) return rpcErrors.INVALID_REQUEST({ reason: problem });
    const id = (message as Message).id as string | number | undefined;
    if (id === undefined || session.calls.size === 0 || !session.calls.has(id)) return undefined;
    return rpcErrors.INVALID_REQUEST({ reason: `the id ${JSON.stringify(id)} is still in use by a running request` });
  };

  const receiver = (session: Session, connection: Connection): SseClient =>
    sessions.listen(session, () => clients.open(connection));

  const open = async (message: Message, { request, response, extra }: Connection): Promise<void> => {
    const problem = requestProblem(message) ?? (message.id === undefined ? 'initialize must have an id' : undefined);
    if (problem) throw rpcErrors.INVALID_REQUEST({ reason: problem });
    const hello = handshake.read((message.params ?? {}) as Message);
    const session = await sessions.create({ ...hello, owner: ownerOf(request) });
    const reply = handshake.answer(idOf(message), session.protocolVersion);
    const channel = isGateway(session.clientCapabilities) ? { [channelHeader]: '2' } : undefined;
    sendReply(response, 200, reply, { 'Mcp-Session-Id': session.id, ...channel, ...extra });
  };

  const batchProblem = (messages: unknown[], session: Session): string | undefined => {
    if (!hasBatches(session.protocolVersion)) return `batches do not exist in revision ${session.protocolVersion}`;
    if (messages.length === 0) return 'a batch must not be empty';
    if (messages.length > maxBatch) {
      return `a batch may hold at most ${maxBatch} messages (max_batch_size)`;
    }
    return messages.some(isInitialize) ? 'initialize must not be part of a batch' : undefined;
  };

  const postBatch = (messages: unknown[], session: Session, connection: Connection): void => {
    const problem = batchProblem(messages, session);
    if (problem) throw rpcErrors.INVALID_REQUEST({ reason: problem });
    const exchange = new Exchange(session, connection, clients.open);
    const batch = new Batch(exchange);
    for (const message of messages) {
      batch.expect();
      const refusal = messageProblem(message, session);
      if (refusal) batch.refuse(idOf(message), refusal);
      else if (isResponse(message)) {
        session.questions.answer(message);
        batch.settle(undefined);
      } else start(message as Message, exchange, batch);
    }
    batch.close();
  };

  const postOne = (message: unknown, session: Session, connection: Connection): void => {
    const problem = messageProblem(message, session);
    if (problem) throw problem;
    if (isResponse(message)) {
      session.questions.answer(message);
      sendEmpty(connection.response, 202, connection.extra);
      return;
    }
    const exchange = new Exchange(session, connection, clients.open);
    start(message as Message, exchange, exchange);
  };

  const sayOne = (message: unknown, carrier: Carrier): void => {
    const { session } = carrier;
    const problem = messageProblem(message, session);
    if (problem) throw problem;
    if (isResponse(message)) {
      session.questions.answer(message);
      return;
    }
    const refusal = carrier.carried?.begin();
    if (refusal) throw refusal;
    const exchange = new LineExchange(carrier, idOf(message));
    start(message as Message, exchange, exchange);
  };

  /** Sends what the client missed of the stream that its last event names, and goes on with that stream if it runs. */
  const resume = (eventId: string, session: Session, connection: Connection): void => {
    const { stream: name, sequence } = parseEventId(eventId) ?? { stream: '', sequence: 0 };
    const stream = session.liveStream(name);
    if (stream) stream.attach(receiver(session, connection), sequence, false);
    // A stream that ended without more to say is an error: a client told 200 would resume it for ever.
    else if (session.kept.after(name, sequence).length > 0)
      session.replayEnded(name, clients.open(connection), sequence);
    else throw mcpErrors.NOTHING_TO_REPLAY({ event_id: eventId });
  };

  const attach = (session: Session, connection: Connection): void => {
    fanout.catchUp(session);
    const last = connection.request.headers['last-event-id'];
    if (last !== undefined && last !== '') {
      resume(String(last), session, connection);
      return;
    }
    const prime = primesStreams(session.protocolVersion);
    const client = receiver(session, connection);
    const greeting = deps.greeting();
    if (greeting !== '') client.greet(greeting);
    session.openStanding().attach(client, undefined, prime);
  };

  const postAny = (body: unknown, session: Session, connection: Connection): void => {
    if (Array.isArray(body)) postBatch(body, session, connection);
    else postOne(body, session, connection);
  };

  return {
    /** Serves a POST whose body is JSON. All three throw or reject with an error of the table instead of answering with it. */
    post(body: unknown, connection: Connection): Awaitable<void> {
      if (isInitialize(body)) return open(body as Message, connection);
      const session = sessionOf(connection);
      if (isPromise(session)) return session.then(found => postAny(body, found, connection));
      postAny(body, session, connection);
    },

    /** Serves a message of a channel. */
    say(body: unknown, carrier: Carrier): void {
      if (isInitialize(body))
        throw rpcErrors.INVALID_REQUEST({ reason: 'initialize opens a session, and this is one' });
      entered(carrier.session, carrier.request);
      sayOne(body, carrier);
    },

    /** Opens the standing stream, or resumes the one that `Last-Event-ID` names. */
    listen(connection: Connection): Awaitable<void> {
      return after(sessionOf(connection), session => attach(session, connection));
    },

    async remove(connection: Connection): Promise<void> {
      await sessions.end(await sessionOf(connection), 'the session was ended');
      sendEmpty(connection.response, 204, connection.extra);
    },
  };
}

/** A response object: an id and a result or an error, and no method. */
function isResponse(message: unknown): message is Message {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return false;
  const { jsonrpc, id, method, result, error } = message as Message;
  if (method !== undefined || jsonrpc !== '2.0') return false;
  return (typeof id === 'string' || typeof id === 'number') && (result !== undefined) !== (error !== undefined);
}
