/** The sessionless lifecycle: each POST says who sends it and what it speaks, and is answered on its own. */
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Disposer,
  encodeError,
  encodeResult,
  isPromise,
  type JsonSchema,
  type Kernel,
  type Reply,
  requestProblem,
  rpcErrors,
} from '../../../kernel/index.ts';
import { InFlight } from '../../../schemas/in-flight.ts';
import { isObject } from '../../../schemas/loose.ts';
import { mcpErrors } from '../errors.ts';
import type { Connection } from '../exchange.ts';
import { sendEmpty } from '../http-answer.ts';
import type { Handshake } from '../sessions/handshake.ts';
import type { Listening } from '../streams/listening.ts';
import type { SseClients } from '../streams/sse-clients.ts';
import { Answer } from './answer.ts';
import type { Completer } from './complete.ts';
import { assertRouted, readEnvelope } from './envelope.ts';
import { envelope, metaOf } from './era.ts';
import { assertParams } from './param-headers.ts';
import { sessionlessRevision } from './revision.ts';
import type { Rounds } from './rounds.ts';
import { mayAsk, Run, type RunDeps } from './run.ts';
import type { Dispatch } from './traced-dispatch.ts';

type Fields = Record<string, unknown>;

/** A message that passed `requestProblem` and has an id. */
interface Request {
  readonly id: string | number;
  readonly method: string;
  readonly params?: Fields;
}

/** What belongs to sessions, and what a client does instead. */
const gone: ReadonlyMap<string, string> = new Map([
  ['initialize', 'send requests with their envelope at once, or initialize without one for a session'],
  ['ping', 'any request does'],
  ['logging/setLevel', `say ${envelope.logLevel} in params._meta of a request`],
  ['resources/subscribe', 'send subscriptions/listen with resourceSubscriptions'],
  ['resources/unsubscribe', 'close the stream of subscriptions/listen'],
]);

export interface SessionlessEraDeps {
  kernel: Pick<Kernel, 'rpc'>;
  dispatch: Dispatch;
  clients: SseClients;
  handshake: Handshake;
  listening: Listening;
  completer: Completer;
  rounds: Rounds<Run>;
  ownerOf: RunDeps['ownerOf'];
}

export type SessionlessEra = ReturnType<typeof createSessionlessEra>;

export function createSessionlessEra(deps: SessionlessEraDeps) {
  const { kernel, dispatch, clients, handshake, listening, completer, rounds, ownerOf } = deps;
  const { rpc } = kernel;
  const running = new InFlight<Run>();
  let schemaOf: ((tool: string) => JsonSchema | undefined) | undefined;

  /** The checks that come before a method's own: what they refuse has a status of HTTP. */
  const admit = ({ method, params = {} }: Request, headers: IncomingHttpHeaders): void => {
    assertRouted(method, params, headers);
    const instead = gone.get(method);
    if (instead !== undefined) throw mcpErrors.METHOD_GONE({ method, revision: sessionlessRevision, instead });
    if (!rpc.has(method) && method !== 'server/discover' && method !== 'subscriptions/listen') {
      throw rpcErrors.METHOD_NOT_FOUND({ method: method.slice(0, 200) });
    }
    const schema = method === 'tools/call' && schemaOf?.(params.name as string);
    if (schema) assertParams(schema, params.arguments, headers);
  };

  const start = (message: Request, answer: Answer, bytes: Buffer, headers: IncomingHttpHeaders): void => {
    const run = new Run(message.method, answer, bytes, { completer, rounds, ownerOf });
    const outcome = dispatch(message, run, headers);
    if (isPromise(outcome)) void run.settleWith(outcome as Promise<Reply | undefined>, running);
    else run.finish(outcome as Reply | undefined);
  };

  const refuse = (answer: Answer, { id, method }: Request, error: Error): void => {
    answer.settle(completer.ending(encodeError(id, error, 'sessionless'), id, method));
  };

  /** A request that brings what an earlier one was answered with, or that answers before it is asked. */
  const goOn = (message: Request, answer: Answer, bytes: Buffer, headers: IncomingHttpHeaders): void => {
    const { method, params = {} } = message;
    const { requestState, inputResponses = {} } = params;
    if (!isObject(inputResponses)) refuse(answer, message, mcpErrors.RESPONSES_INVALID());
    else if (requestState === undefined) start(message, answer, bytes, headers);
    else {
      try {
        rounds.take(requestState, method, params, ownerOf(answer.request)).resume(answer, inputResponses);
      } catch (error) {
        refuse(answer, message, error as Error);
      }
    }
  };

  return {
    /** Serves a POST; throws an error of the table for what does not get as far as its method. */
    post(body: unknown, bytes: Buffer, connection: Connection): void {
      const problem = requestProblem(body);
      if (problem) throw rpcErrors.INVALID_REQUEST({ reason: `${problem}; a sessionless client sends no responses` });
      const { headers } = connection.request;
      const message = body as Request;
      if ((message.id as unknown) === undefined) {
        if (metaOf(body)[envelope.version] !== undefined) readEnvelope(message, headers);
        sendEmpty(connection.response, 202, connection.extra);
        return;
      }
      const { id, method, params } = message;
      const meta = readEnvelope(message, headers);
      admit(message, headers);
      if (method === 'subscriptions/listen') {
        listening.open(id, params as Fields, meta[envelope.capabilities], connection);
        return;
      }
      const answer = new Answer(id, meta, connection, clients.open);
      if (method === 'server/discover') {
        answer.settle(completer.ending(encodeResult(id, handshake.discover()), id, method));
      } else if (mayAsk(method) && (params?.requestState !== undefined || params?.inputResponses !== undefined)) {
        goOn(message, answer, bytes, headers);
      } else start(message, answer, bytes, headers);
    },
    toolSchemas(find: NonNullable<typeof schemaOf>): Disposer {
      schemaOf = find;
      return () => {
        schemaOf = undefined;
      };
    },
    /** Requests whose answer is awaited. */
    get running(): number {
      return running.size;
    },
    /** Gives up what waits for its client: nobody can come back any more. */
    drain: (reason: string): void => rounds.end(reason),
    end(reason: string): void {
      for (const run of running.list()) run.cancel(reason, rpcErrors.CANCELLED({ reason }));
      listening.end();
    },
  };
}
