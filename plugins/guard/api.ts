/** What other plugins may use of the guard: who asks, and what for. */
import type { IncomingMessage } from 'node:http';
import type { Disposer, SvcError } from '../../kernel/index.ts';
import type { Scope } from '../../schemas/tokens.ts';

/** Who sent a request, as it proved to be. */
export interface Caller {
  /** Who it is, whatever token it brings now: what is opened, begun or registered is its own by this. */
  readonly id: string;
  /** What logs and audits call it. */
  readonly label: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Host types that it may register, in lower case; undefined for all. */
  readonly allowedDcc: ReadonlySet<string> | undefined;
}

/** What comes over a connection that a request opened, held to what requests of its caller are. */
export interface Carried {
  /** Counts a message that is let in; why another is not. Each that is let in is ended. */
  begin(): SvcError | undefined;
  end(): void;
  /** The connection is closed. */
  close(): void;
}

/** A refusal, and the `WWW-Authenticate` that goes with it. */
export interface Forbidden {
  readonly error: SvcError;
  readonly challenge: string;
}

export interface GuardService {
  /** Whether callers have to authenticate. */
  readonly on: boolean;
  /** Who sent a request; undefined for nobody that is known. */
  callerOf(request: IncomingMessage): Caller | undefined;
  /** Whose own is what a request opens, begins or registers; undefined where nobody has to authenticate. */
  ownerOf(request: IncomingMessage): string | undefined;
  /** Takes a further token, of this process's own making, as long as it is not taken back. */
  accept(token: string, grant: { label: string; scopes: readonly Scope[] }): Disposer;
  /** Throws SVC_GUARD_UNAUTHORIZED or _SCOPE unless the request brings a token with this scope, also where nobody else has to. */
  demand(request: IncomingMessage, scope: Scope): void;
  /** For a connection that is to carry messages; `cut` ends it when its caller may no longer have it. Undefined where nothing is asked. */
  carry(request: IncomingMessage, cut: () => void): Carried | undefined;
  /** Throws SVC_GUARD_* where its caller may not register instances of this host type; undefined when none is named. */
  mayRegister(request: IncomingMessage, dcc_type: string | undefined): void;
  /** Throws SVC_GUARD_UNAUTHENTICATED_BIND where an address must not be listened on; its name is served from then on. */
  mayListen(host: string): void;
  /** Why the JSON-RPC messages of a request are not for its caller; undefined where nobody has to authenticate. */
  readonly judge: ((request: IncomingMessage, body: unknown) => Forbidden | undefined) | undefined;
  /** Writes down, once, that a request was refused. */
  refused(request: IncomingMessage, error: SvcError): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route of another package takes; without it only an administrator may use it. */
    scope?: Scope | 'public';
  }
  interface FastifyInstance {
    guard: GuardService;
  }
}
