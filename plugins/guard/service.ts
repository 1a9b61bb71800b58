/** What the guard answers other plugins. */
import type { IncomingMessage } from 'node:http';
import type { SvcError } from '../../kernel/index.ts';
import type { Caller, GuardService } from './api.ts';
import type { Challenges } from './challenge.ts';
import type { Credentials } from './credentials.ts';
import { guardErrors } from './errors.ts';
import { takesCall } from './messages.ts';
import { bearerOf } from './tokens.ts';

export interface ServiceDeps {
  credentials: Pick<Credentials, 'on' | 'accept' | 'ownCaller'>;
  challenges: Pick<Challenges, 'of'>;
  callerOf(request: IncomingMessage): Caller | undefined;
  carry: GuardService['carry'];
  mayListen(host: string): void;
  refused(request: IncomingMessage, error: SvcError): void;
}

export function createService(deps: ServiceDeps): GuardService {
  const { credentials, challenges, mayListen, refused, carry } = deps;
  const { on, accept } = credentials;

  /** Where nobody has to say who he is, one may still have a token of this process. */
  const callerOf = (request: IncomingMessage): Caller | undefined => {
    if (on) return deps.callerOf(request);
    const token = bearerOf(request.headers.authorization);
    return token === undefined ? undefined : credentials.ownCaller(token);
  };

  return {
    ...{ on, accept, mayListen, refused, callerOf, carry },
    ownerOf: request => (on ? deps.callerOf(request)?.id : undefined),
    demand(request, scope) {
      const caller = callerOf(request);
      if (!caller) throw guardErrors.UNAUTHORIZED({ reason: `the scope "${scope}" takes one` });
      if (!caller.scopes.has(scope)) throw guardErrors.SCOPE({ label: caller.label, scope });
    },
    mayRegister(request, dcc_type) {
      const caller = callerOf(request);
      if (!caller) return;
      const { label, scopes, allowedDcc } = caller;
      if (!scopes.has('register')) throw guardErrors.SCOPE({ label, scope: 'register' });
      if (dcc_type === undefined || !allowedDcc || allowedDcc.has(dcc_type.toLowerCase())) return;
      throw guardErrors.DCC_SCOPE({ label, dcc_type });
    },
    judge: on
      ? (request, body) => {
          const caller = deps.callerOf(request);
          if (!caller || caller.scopes.has('call') || !takesCall(body)) return undefined;
          const error = guardErrors.SCOPE({ label: caller.label, scope: 'call' });
          refused(request, error);
          return { error, challenge: challenges.of(error, request) ?? 'Bearer' };
        }
      : undefined,
  };
}
