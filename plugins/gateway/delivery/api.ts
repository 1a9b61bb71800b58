/** What other plugins may use of the delivery: calls that a client makes through the gateway, and what comes back for it. */
import type { Awaitable, RpcContext } from '../../../kernel/index.ts';
import type { Json } from '../../../schemas/loose.ts';
import type { Instance } from '../../instances/api.ts';

/** As much of a call as the delivery looks at. */
export interface CallOrigin {
  /** `params._meta` of the client. */
  readonly meta?: Json | undefined;
  /** Whom it comes from; empty for REST. `rpcId` is the id of its request. */
  readonly caller?: Partial<Pick<RpcContext, 'session' | 'notify' | 'closeStream'>> & {
    readonly rpcId?: RpcContext['requestId'];
  };
}

/** One call on its way to an instance. */
export interface CallDelivery {
  /**
   * `_meta` for the instance: the client's, its progress token replaced by one that no other client has. Who is to have
   * the receipt of its token at once asks for a job in so many words, for the instance goes by the gateway's revision.
   */
  readonly meta: Record<string, unknown> | undefined;
  /** Takes what the instance tells on the call's own answer stream. */
  onNotification(method: string, params: Record<string, unknown>): void;
  /**
   * The call is answered or has failed; `jobId` when it became a job, which is known from then on. Its progress token
   * lives on when the answer is its receipt.
   */
  settled(jobId?: string, receipt?: boolean): Awaitable<void>;
}

export interface DeliveryService {
  /** Begins a call; `settled` must follow. */
  begin(instance_id: string, origin: CallOrigin): CallDelivery;
  /**
   * The instance that owns a job: known from its receipt, otherwise asked of every live instance.
   * Rejects with SVC_RELAY_JOB_UNKNOWN.
   */
  ownerOf(jobId: string): Promise<Instance>;
  /** The last jobs of all live instances, the newest first; `unread_instances` counts those that did not say theirs. */
  jobs(limit: number): Promise<{ jobs: Json[]; unread_instances?: number }>;
}

declare module 'fastify' {
  interface FastifyInstance {
    delivery: DeliveryService;
  }
}
