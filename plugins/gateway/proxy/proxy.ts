/** The transparent proxy: to one instance by id, to the best instance of a host type. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Disposer } from '../../../kernel/index.ts';
import type { GuardService } from '../../guard/api.ts';
import type { TracingService } from '../../telemetry/tracing/api.ts';
import type { BackendsService } from '../backends/api.ts';
import type { ProxyGuard } from './api.ts';
import { createChoice, isLeased } from './choice.ts';
import { proxyErrors } from './errors.ts';
import { type ForwardOptions, forward, type Standing } from './forwarding.ts';
import { createJudge, type Judge } from './judged.ts';
import { refuse } from './refusal.ts';
import { createSessionCallers } from './session-callers.ts';

export interface ProxyDeps {
  readonly backends: BackendsService;
  readonly maxBodyBytes: number;
  /** Where callers authenticate. */
  readonly guard: Pick<GuardService, 'ownerOf'> | undefined;
  readonly tracing: TracingService | undefined;
  /** Told of each request that goes on to an instance, while somebody wants to know. */
  onPassed(): ForwardOptions['onPassed'];
}

export function createProxy({ backends, maxBodyBytes, guard, tracing, onPassed }: ProxyDeps) {
  const callers = guard && createSessionCallers(guard);
  const choice = createChoice();
  const standing = new Set<Standing>();
  let judge: { guard: ProxyGuard; own: Judge } | undefined;
  /** Who judges the calls, while anybody does. */
  const judging = (): Judge | undefined => (judge?.guard.isOn() ? judge.own : undefined);
  const tooLarge = () => proxyErrors.BODY_TOO_LARGE({ max_request_body_bytes: maxBodyBytes });

  return {
    /** Forwards to the instance of this id, short id or prefix. */
    toInstance(id: string, request: IncomingMessage, response: ServerResponse): void {
      try {
        callers?.check(request);
        const backend = backends.get(id);
        const onHead = callers && ((_status: number, given?: string) => given && callers.note(request, given));
        const common = { standing, onHead, tracing, judge: judging(), onPassed: onPassed() };
        forward({ backend, request, response, maxBodyBytes, ...common }, tooLarge);
      } catch (error) {
        refuse({ request, response }, error);
      }
    },
    /** Forwards to the session's instance, or to the best of the type. */
    toType(dcc_type: string, request: IncomingMessage, response: ServerResponse): void {
      try {
        callers?.check(request);
        const among = backends.ofType(dcc_type);
        const session = request.headers['mcp-session-id'] as string | undefined;
        const owner = session === undefined ? undefined : choice.ownerOf(session);
        const bound = owner === undefined ? undefined : among.find(each => each.instance_id === owner);
        if (session !== undefined && owner !== undefined && !bound) {
          choice.forget(session);
          throw proxyErrors.SESSION_GONE();
        }
        // Only what opens a session says nothing of a version, neither in a session nor without one.
        const opens = request.headers['mcp-protocol-version'] === undefined;
        const backend = bound ?? (opens ? choice.best(among) : choice.steady(dcc_type, among));
        if (!backend) throw proxyErrors.NO_INSTANCE({ dcc_type: dcc_type.slice(0, 100), retryable: true });
        // The best is leased only where all of them are.
        if (!bound && isLeased(backend.instance)) throw proxyErrors.ALL_LEASED({ dcc_type, retryable: true });
        const onHead = (status: number, given: string | undefined): void => {
          if (given !== undefined) callers?.note(request, given);
          if (given !== undefined) choice.remember(given, backend.instance_id);
          else if (session !== undefined && (status === 404 || request.method === 'DELETE')) choice.forget(session);
        };
        forward(
          {
            backend,
            request,
            response,
            maxBodyBytes,
            standing,
            onHead,
            tracing,
            judge: judging(),
            onPassed: onPassed(),
          },
          tooLarge,
        );
      } catch (error) {
        refuse({ request, response }, error);
      }
    },
    guard(guard: ProxyGuard): Disposer {
      const added = { guard, own: createJudge(guard) };
      judge = added;
      return () => {
        if (judge === added) judge = undefined;
      };
    },
    /** Ends the standing streams: they would last as long as their clients. */
    endStreams(): void {
      for (const each of [...standing]) each.end();
    },
  };
}
