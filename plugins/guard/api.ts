/** What other plugins may use of the guard: who asks, and what for. */
import type { IncomingMessage } from 'node:http';
import type { Scope } from '../../schemas/tokens.ts';

/** Who sent a request, as it proved to be. */
export interface Caller {
  /** What logs and audits call it. */
  readonly label: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Host types that it may register, in lower case; undefined for all. */
  readonly allowedDcc: ReadonlySet<string> | undefined;
}

export interface GuardService {
  /** Whether callers have to authenticate. */
  readonly on: boolean;
  /** Who sent a request that was let in; undefined where nobody has to say. */
  callerOf(request: IncomingMessage): Caller | undefined;
  /** Throws SVC_GUARD_* where its caller may not register instances of this host type; undefined when none is named. */
  mayRegister(request: IncomingMessage, dcc_type: string | undefined): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    guard: GuardService;
  }
}
