/** The parts of the MCP endpoint put together: the service that other plugins use, and the endpoint behind the routes. */
import type { Kernel, Scope } from '../../kernel/index.ts';
import type { GuardService } from '../guard/api.ts';
import type { TracingService } from '../telemetry/tracing/api.ts';
import type { McpService } from './api.ts';
import { createCompletion } from './completion.ts';
import type { Settings } from './config.ts';
import { createEndpoint } from './endpoint.ts';
import { createCompleter } from './eras/complete.ts';
import { createRounds } from './eras/rounds.ts';
import type { Run } from './eras/run.ts';
import { createSessionEra } from './eras/session-era.ts';
import { createSessionlessEra } from './eras/sessionless-era.ts';
import { createDispatch } from './eras/traced-dispatch.ts';
import { addMethods } from './methods.ts';
import { createHandshake } from './sessions/handshake.ts';
import { createSessions } from './sessions/sessions.ts';
import type { SessionStore } from './sessions/store.ts';
import { createFanout, forEachClient } from './streams/fanout.ts';
import { type Frame, notificationFrame } from './streams/frame.ts';
import { createListening } from './streams/listening.ts';
import { createSseClients } from './streams/sse-clients.ts';

/** `scope` owns every session, timer and method. */
export function createMcp(
  kernel: Kernel,
  settings: Settings,
  scope: Scope,
  store: SessionStore,
  { tracing, guard }: { tracing: TracingService | undefined; guard: GuardService | undefined },
) {
  const { config, rpc } = kernel;
  const sessions = createSessions(kernel, settings, scope, store, () => fanout.issued);
  const clients = createSseClients(scope, settings.sse_heartbeat_secs, settings.sse_client_max_bytes);
  const fanout = createFanout(() => sessions.followers());
  const handshake = createHandshake(config);
  const completion = createCompletion();
  addMethods(rpc, scope, sessions, completion, kernel.bus);
  let greeting = '';
  const dispatch = createDispatch(rpc, tracing);
  const ownerOf = guard?.on ? guard.ownerOf : () => undefined;
  const sessionEra = createSessionEra({
    ...{ dispatch, ownerOf, sessions, clients, fanout, handshake, maxBatch: settings.max_batch_size },
    greeting: () => greeting,
  });

  const completer = createCompleter(handshake.serverInfo);
  const rounds = createRounds<Run>({ limit: settings.max_waiting_requests, ttlMs: settings.input_wait_secs * 1000 });
  const listening = createListening({
    ...{ clients, limit: settings.max_sessions, meta: completer.meta },
    tells: list => handshake.tells(list, 'listChanged'),
    onFailure: err => kernel.log.error({ err }, 'a subscription could not be opened'),
  });
  const sessionlessEra = createSessionlessEra({
    ...{ kernel, dispatch, clients, handshake, listening, completer, rounds, ownerOf },
  });

  /** `frame` is made only for a session that listens. */
  const deliver = (sessionId: string, frame: () => Frame): boolean => {
    const session = sessions.get(sessionId);
    if (!session?.standing) return false;
    fanout.catchUp(session);
    const made = frame();
    return session.admits(made) && session.standing.send(made);
  };

  const service: McpService = {
    streams: { limit: settings.max_sessions, maxBytes: settings.sse_client_max_bytes },
    sessions: {
      get size() {
        return sessions.size;
      },
      get: id => sessions.get(id),
      list: () => [...sessions.values()],
      handOn: sessions.handOn,
      adopt: sessions.adopt,
    },
    capability: handshake.capability,
    extension: handshake.extension,
    instruct: handshake.instruct,
    greet(name, data) {
      greeting = `event: ${name}\ndata: ${data}\n\n`;
      return () => {
        greeting = '';
      };
    },
    broadcast(method, params) {
      if (sessions.size > 0) fanout.broadcast(notificationFrame(method, params));
      listening.broadcast(method, params);
    },
    notify: (sessionId, method, params) => deliver(sessionId, () => notificationFrame(method, params)),
    multicast(sessionIds, method, params) {
      const frame = notificationFrame(method, params);
      void forEachClient([...sessionIds], sessionId => void deliver(sessionId, () => frame));
    },
    listen: listening.source,
    toolSchemas: sessionlessEra.toolSchemas,
    lastWords(say) {
      lastWords.add(say);
      return () => void lastWords.delete(say);
    },
    completion: completion.add,
  };

  const lastWords = new Set<() => Promise<void>>();
  const sayLast = async (): Promise<void> => void (await Promise.allSettled([...lastWords].map(say => say())));
  return {
    service,
    sessions,
    endpoint: createEndpoint({ kernel, sessions, clients, sessionEra, sessionlessEra, sayLast, judge: guard?.judge }),
  };
}
