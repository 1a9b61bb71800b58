/** JSON-RPC requests in the gateway's session: deadlines, cancelling, repeating reads, errors that name the instance. */
import { isSvcError, rpcErrors, type SvcError } from '../../../kernel/index.ts';
import { type Answer, errorInResult, type ForeignError, tellsOfDeath } from './answer.ts';
import { type RequestOptions, readRetries } from './api.ts';
import { backendErrors } from './errors.ts';
import { type Asked, errorOf, type Failure, isWorthRepeating, naming, saysOfInstance } from './failure.ts';
import type { Gate } from './gate.ts';
import type { createBackendQuestions, Hold } from './questions.ts';
import type { SessionKeeper } from './session-keeper.ts';

const firstPauseMs = 50;

export interface RpcClientParts {
  asked: Asked;
  gate: Gate;
  sessions: SessionKeeper;
  nextId(): number;
  timeoutMs: number;
  maxBytes: number;
  questions: ReturnType<typeof createBackendQuestions>;
  /** Messages of an answer's own stream that nobody asked for. */
  onMessage(message: Record<string, unknown>): void;
  onFailure(failure: Failure): void;
  /** The instance says that its host has died. */
  onDeath(message: string): void;
}

export function createRpcClient(parts: RpcClientParts) {
  const { asked, gate, sessions, nextId, maxBytes } = parts;

  /** Takes what an answer's own stream brings; undefined where nobody listens and nobody can be asked. */
  const listener = ({ onNotification, onQuestion }: RequestOptions) => {
    if (!onNotification && !onQuestion) return undefined;
    return (message: Record<string, unknown>, hold: Hold): void => {
      if (onNotification) {
        const { method, params } = message;
        if (parts.questions.take(message, onQuestion, hold)) return;
        if (typeof method === 'string') onNotification(method, (params ?? {}) as never);
      } else if (!parts.questions.take(message, onQuestion, hold)) parts.onMessage(message);
    };
  };

  /** One attempt under the gate, with a second post in a new session when the instance has forgotten the old one. */
  const attempt = async (body: (id: number) => string, end: number, options: RequestOptions): Promise<Answer> => {
    const { signal, trace } = options;
    const onMessage = listener(options);
    gate.enter();
    let answered: boolean | undefined;
    try {
      for (let again = 0; ; again += 1) {
        let session = sessions.current;
        if (!session) {
          const opening = await sessions.open();
          if (!('session' in opening)) {
            answered = saysOfInstance((opening as Answer).failure);
            return opening;
          }
          session = opening.session;
        }
        const id = nextId();
        const timeoutMs = Math.max(1, end - Date.now());
        const answer = await session.post({ id, body: body(id), timeoutMs, signal, trace, onMessage });
        if (again === 0 && answer.forgotten) {
          sessions.drop(session);
          continue;
        }
        if (again === 0 && answer.doubtful && (await sessions.renewed(session))) continue;
        const { failure } = answer;
        answered = saysOfInstance(failure);
        // The connection is cut, but what was asked goes on there until it is called off.
        if (failure?.kind === 'cancelled' || failure?.kind === 'timeout') {
          const params = { requestId: id, reason: failure.reason };
          void note({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => undefined);
        }
        return answer;
      }
    } finally {
      gate.leave(answered);
    }
  };

  const note = async (message: Record<string, unknown>): Promise<void> => {
    const opening = await sessions.open();
    if (!('session' in opening)) throw toError(opening, String(message.method), parts.timeoutMs);
    const { timeoutMs } = parts;
    const answer = await opening.session.post({ id: undefined, body: JSON.stringify(message), timeoutMs });
    if (answer.failure || answer.error) throw toError(answer, String(message.method), parts.timeoutMs);
  };

  const toError = (
    { failure, error }: { failure?: Failure; error?: ForeignError },
    what: string,
    timeoutMs: number,
  ): SvcError => {
    if (failure) return errorOf(failure, asked, what, { timeoutMs, maxBytes });
    return foreignError(asked, error as ForeignError, what);
  };

  return {
    note,
    /** `body` makes the request of an id. Resolves with what `read` finds in the answer. */
    async send<T>(
      what: string,
      body: (id: number) => string,
      options: RequestOptions,
      read: (answer: Answer) => T,
    ): Promise<T> {
      const timeoutMs = options.timeoutMs ?? parts.timeoutMs;
      if (options.signal?.aborted) throw rpcErrors.CANCELLED({ ...naming(asked, false), reason: 'the caller gave up' });
      const end = Date.now() + timeoutMs;
      for (let repeat = 0; ; repeat += 1) {
        const answer = await attempt(body, end, options);
        const { failure } = answer;
        const error = answer.error ?? errorInResult(answer.result);
        if (failure) {
          parts.onFailure(failure);
          if (
            repeat < readRetries &&
            options.idempotent === true &&
            isWorthRepeating(failure.kind) &&
            asked.goneBecause === undefined
          ) {
            const pause = firstPauseMs * 2 ** repeat * (0.5 + Math.random());
            if (Date.now() + pause < end) {
              await new Promise(resolve => setTimeout(resolve, pause));
              continue;
            }
          }
        } else if (tellsOfDeath(answer)) parts.onDeath(answer.error?.message ?? 'the instance said that its host died');
        if (failure) throw toError({ failure }, what, timeoutMs);
        if (error) throw foreignError(asked, error, what);
        return read(answer);
      }
    },
  };
}

/** The instance's own error under its own number, so that a client of the gateway sees what it would see there. */
function foreignError(asked: Asked, { code, message, data, toolMs }: ForeignError, what: string): SvcError {
  const details = {
    ...{ ...naming(asked, false), what, reason: message, backend_error: { code, message, data } },
    ...(toolMs !== undefined && { tool_ms: toolMs }),
  };
  const error = backendErrors.RPC_ERROR(details);
  // A resource that is not there has a number that the sessionless revisions have given up.
  const later = code === -32002 ? { session: code, sessionless: -32602 } : {};
  return isSvcError(error) ? Object.assign(error, { row: { ...error.row, rpc: code, ...later } }) : error;
}
