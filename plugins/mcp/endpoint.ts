/** The endpoint behind the HTTP routes: reads a body, lets `era.ts` choose the lifecycle, and drains at shutdown. */
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Awaitable,
  encodeError,
  idOf,
  isPromise,
  isSvcError,
  type Kernel,
  type RpcId,
  type SvcError,
  toSvcError,
} from '../../kernel/index.ts';
import { refusalLine } from '../../schemas/channel.ts';
import type { GuardService } from '../guard/api.ts';
import { parse, refusePoison, textOf } from './body.ts';
import type { Carrier } from './channel/line-exchange.ts';
import { isInitialize, type Lifecycle, lifecycleOf } from './eras/era.ts';
import { negotiate, oldestRevision, revisions, sessionlessRevision, unknownId } from './eras/revision.ts';
import type { SessionEra } from './eras/session-era.ts';
import type { SessionlessEra } from './eras/sessionless-era.ts';
import { mcpErrors } from './errors.ts';
import type { Connection } from './exchange.ts';
import { sendError, sendReply } from './http-answer.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { SseClients } from './streams/sse-clients.ts';

const drainPollMs = 10;
const retryAfterSecs = 5;
const closing = 'the server is shutting down';

export interface EndpointDeps {
  kernel: Kernel;
  sessions: Sessions;
  clients: SseClients;
  sessionEra: SessionEra;
  sessionlessEra: SessionlessEra;
  /** Says which messages are not for their caller, where callers authenticate. */
  judge: GuardService['judge'];
  /** What others have to say before the streams end. */
  sayLast(): Promise<void>;
}

export type Endpoint = ReturnType<typeof createEndpoint>;

export function createEndpoint(deps: EndpointDeps) {
  const { kernel, sessions, clients, sessionEra, sessionlessEra, sayLast, judge } = deps;
  let draining = false;

  /** The revision that a refusal speaks: what initialize asks for, the session's, the header's; 2025-03-26 knows none. */
  const revisionOf = (body: unknown, headers: IncomingHttpHeaders): string => {
    if (isInitialize(body))
      return negotiate((body as { params?: { protocolVersion?: string } }).params?.protocolVersion);
    const known = sessions.get(headers['mcp-session-id'] as string)?.protocolVersion;
    return known ?? revisions.find(each => each === headers['mcp-protocol-version']) ?? oldestRevision;
  };

  const idFor = (body: unknown, headers: IncomingHttpHeaders, era: Lifecycle = 'session'): RpcId | undefined =>
    idOf(body) ?? unknownId(era === 'sessionless' ? sessionlessRevision : revisionOf(body, headers));

  /** Answers what a lifecycle threw; what is no error of the table is a defect of ours. */
  const refuse = (error: unknown, body: unknown, connection: Connection, era: Lifecycle = 'session'): void => {
    if (!isSvcError(error)) kernel.log.error({ err: error }, 'serving a request failed');
    const { request, response, extra } = connection;
    // What has begun cannot be taken back; a second answer would throw where nobody catches.
    if (response.headersSent) response.destroy();
    else sendError(response, idFor(body, request.headers, era), toSvcError(error), extra, era);
  };

  const serve = (act: (connection: Connection) => Awaitable<void>, connection: Connection): void => {
    try {
      if (draining) throw mcpErrors.SHUTTING_DOWN({ retry_after_secs: retryAfterSecs });
      const served = act(connection);
      if (isPromise(served)) served.catch((error: unknown) => refuse(error, undefined, connection));
    } catch (error) {
      refuse(error, undefined, connection);
    }
  };

  return {
    post(bytes: Buffer, connection: Connection): void {
      let body: unknown;
      let era: Lifecycle = 'session';
      try {
        const text = textOf(bytes);
        body = parse(text);
        era = lifecycleOf(body, connection.request.headers['mcp-protocol-version']);
        // Only now: an id that could be read is told with every refusal.
        if (draining) throw mcpErrors.SHUTTING_DOWN({ retry_after_secs: retryAfterSecs });
        refusePoison(text, body);
        const forbidden = judge?.(connection.request, body);
        if (forbidden) {
          const extra = { ...connection.extra, 'WWW-Authenticate': forbidden.challenge };
          refuse(forbidden.error, body, { ...connection, extra }, era);
          return;
        }
        if (era === 'sessionless') {
          sessionlessEra.post(body, bytes, connection);
          return;
        }
        const served = sessionEra.post(body, connection);
        if (isPromise(served)) served.catch((error: unknown) => refuse(error, body, connection));
      } catch (error) {
        refuse(error, body, connection, era);
      }
    },
    /** Serves a message that came on a channel. */
    say(line: string, carrier: Carrier): void {
      let body: unknown;
      try {
        body = parse(line);
        if (draining) throw mcpErrors.SHUTTING_DOWN({ retry_after_secs: retryAfterSecs });
        refusePoison(line, body);
        sessionEra.say(body, carrier);
      } catch (error) {
        if (!isSvcError(error)) kernel.log.error({ err: error }, 'serving a request failed');
        const known = toSvcError(error);
        const id = idFor(body, carrier.request.headers);
        carrier.write(refusalLine(known.row.http, encodeError(id, known, 'session')));
      }
    },
    /** Answers with an error from before the body was read. */
    refuse: (error: SvcError, connection: Connection): void => refuse(error, undefined, connection),
    /** The same as text, for a request that the framework answers. */
    refusal: (error: SvcError, headers: IncomingHttpHeaders): string =>
      encodeError(idFor(undefined, headers), error, 'session'),
    listen(connection: Connection): void {
      const { request, response, extra } = connection;
      if (request.headers.accept?.includes('text/event-stream')) serve(sessionEra.listen, connection);
      else sendReply(response, 406, notAcceptable(idFor(undefined, request.headers)), extra);
    },
    remove: (connection: Connection): void => serve(sessionEra.remove, connection),
    /** Refuses new work, waits up to `shutdown_grace_ms` for calls in flight, then ends every session and stream. */
    async drain(): Promise<void> {
      draining = true;
      sessionlessEra.drain(closing);
      const end = Date.now() + kernel.config.shutdown_grace_ms;
      // Polled, because counting every call would burden the hot path for the sake of the last one.
      const calls = (): number => sessions.calls + sessionlessEra.running;
      while (calls() > 0 && Date.now() < end) await new Promise(resolve => setTimeout(resolve, drainPollMs));
      await sayLast();
      sessionlessEra.end(closing);
      await sessions.endAll(closing);
      clients.end();
    },
  };
}

/** The error, and beside it what tells a person with a browser what this address is (shape:instance). */
const notAcceptable = (id: RpcId | undefined): string =>
  JSON.stringify({
    ...JSON.parse(encodeError(id, mcpErrors.NOT_ACCEPTABLE(), 'session')),
    auth_required: false,
    hint: 'This is an MCP endpoint: connect an MCP client, or send GET with Accept: text/event-stream and Mcp-Session-Id',
  });
