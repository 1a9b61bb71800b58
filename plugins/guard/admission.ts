/** Lets a request in or says why not: who asks, whether it may go past the router, whether it is too much. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Awaitable, isPromise, type RequestGuard, type SvcError } from '../../kernel/index.ts';
import type { Scope } from '../../schemas/tokens.ts';
import type { Caller, Carried } from './api.ts';
import { guardErrors } from './errors.ts';
import { isStream, type Limits, peerOf } from './limits.ts';
import type { Standing } from './standing.ts';
import { bearerOf } from './tokens.ts';
import type { Proof, Verdict, Verdicts } from './verdicts.ts';

/** On the request itself: a weak map of what lives so short costs the collector more than all the rest. */
const admitted = Symbol('caller');
type Admitted = IncomingMessage & { [admitted]?: Verdict };

export interface AdmissionDeps {
  /** Who has a token; why it is taken from nobody. */
  find(token: string): Awaitable<Proof | string>;
  /** Of those that were found before. */
  verdicts: Verdicts;
  standing: Standing;
  /** Whether everybody has to have one. */
  on: boolean;
  limits: Limits;
  trustedDepth: number;
  endpointPath: string;
  /** Paths that are for everybody. */
  isPublic(path: string): boolean;
}

export function createAdmission(deps: AdmissionDeps) {
  const { find, verdicts, standing, on, limits, trustedDepth, endpointPath, isPublic } = deps;

  /** What a path takes that is served past the router; the router asks for those that pass it. */
  const directScope = (path: string): Scope | undefined => {
    if (path === endpointPath) return 'read';
    return path === '/v1/call' || path.startsWith('/mcp/') || path.startsWith('/tunnel/') ? 'call' : undefined;
  };

  const enter = (verdict: Verdict, request: IncomingMessage, response: ServerResponse | undefined, path: string) => {
    const { caller, account } = verdict;
    (request as Admitted)[admitted] = verdict;
    // What goes over such a connection is not looked at again.
    const scope = request.method === 'CONNECT' ? 'call' : directScope(path);
    if (scope && !caller.scopes.has(scope)) return guardErrors.SCOPE({ label: caller.label, scope });
    const refusal = limits.enter(account, request, response);
    if (refusal || !response || !isStream(request)) return refusal;
    const { authorization = '' } = request.headers;
    response.on(
      'close',
      standing.add(authorization, verdict, scope ?? 'read', () => response.destroy()),
    );
    return undefined;
  };

  const stranger = (request: IncomingMessage, reason: string): SvcError =>
    limits.pace(peerOf(request, trustedDepth)) ?? guardErrors.UNAUTHORIZED({ reason });

  const admit: RequestGuard = (request, response) => {
    // A preflight carries no token.
    if (request.method === 'OPTIONS') return undefined;
    const path = pathOf(request.url ?? '');
    // What the router does not see is let in here, or not at all.
    if (directScope(path) === undefined && isPublic(path)) return limits.pace(peerOf(request, trustedDepth));
    if (!on) return limits.pace(peerOf(request, trustedDepth));
    const { authorization } = request.headers;
    if (authorization === undefined) return stranger(request, 'there is none');
    const same = verdicts.again(request.socket, authorization);
    if (same) return enter(same, request, response, path);
    const digest = verdicts.keyOf(authorization);
    const known = verdicts.find(digest);
    if (known) {
      verdicts.keep(request.socket, authorization, known);
      return enter(known, request, response, path);
    }
    const token = bearerOf(authorization);
    if (token === undefined) return stranger(request, 'there is none');
    const since = verdicts.edition;
    const settle = (found: Proof | string): SvcError | undefined => {
      if (typeof found === 'string') return stranger(request, found);
      const verdict: Verdict = { ...found, account: limits.account(found.caller.id) };
      verdicts.remember(digest, verdict, since);
      return enter(verdict, request, response, path);
    };
    const found = find(token);
    return isPromise(found) ? found.then(settle) : settle(found);
  };

  return {
    admit,
    callerOf: (request: IncomingMessage): Caller | undefined => (request as Admitted)[admitted]?.caller,
    carry(request: IncomingMessage, cut: () => void): Carried | undefined {
      const verdict = (request as Admitted)[admitted];
      if (!verdict) return undefined;
      const { account } = verdict;
      const close = standing.add(request.headers.authorization ?? '', verdict, 'call', cut);
      const end = (): void => {
        account.requests -= 1;
      };
      return { begin: () => limits.begin(account), end, close };
    },
  };
}

/** Without the query, in which somebody may have put a secret. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
