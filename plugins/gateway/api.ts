/** What other plugins may use of the gateway's operations: find, describe, load and call tools of every instance. */
import type { RpcContext, SvcError } from '../../kernel/index.ts';
import type { Json } from '../../schemas/loose.ts';
import type { RestCaller, RestService } from '../rest/api.ts';
import type { Abortable, Answering } from './backends/api.ts';

/** Who asks; over REST without a session, and with nobody to hear what the instance reports while the call runs. */
export interface Caller
  extends Omit<RestCaller, 'signal'>,
    Partial<Pick<RpcContext, 'session' | 'notify' | 'closeStream'>> {
  /** Name of its program, as it says itself. */
  readonly client?: string | undefined;
  /** Id of the request, where MCP brought it. */
  readonly rpcId?: RpcContext['requestId'];
  /** Aborted when the client has gone or cancelled; made on first use. */
  readonly signal?: Abortable | undefined;
  /** All that its program says of itself. */
  readonly clientInfo?: Readonly<Record<string, unknown>>;
  /** Id of the request whose batch this call is part of. */
  readonly parentRequestId?: string;
  /** What it declared that it can be asked. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Asks it; absent over REST. */
  readonly ask?: Answering;
}

/** The nested error object and its HTTP status (shape:envelope). */
export interface Failure {
  status: number;
  kind: string;
  retry_after_secs: number | undefined;
  error: Json;
}

/**
 * All operations throw errors of the table; `failure` makes the envelope of one. A call answers with the instance's own
 * CallToolResult, `_meta.dcc` added.
 */
export interface GatewayService extends RestService<Caller> {
  /** Tools, skills or both, as the MCP tool `search` answers. */
  discover(body: Json, caller: Caller): Promise<Json>;
  /** Takes, renews or gives back the lease of an instance. */
  lease(body: Json): Promise<Json>;
  /** What to tell who called a tool of an instance by its bare name; undefined when none has it. */
  meant(name: string): SvcError | undefined;
  readonly indexGeneration: string;
  failure(error: unknown): Failure;
}

declare module 'fastify' {
  interface FastifyInstance {
    gateway: GatewayService;
  }
}
