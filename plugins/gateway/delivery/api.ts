/** What other plugins may use of the delivery: calls that a client makes through the gateway, and what comes back for it. */
import type { Awaitable, RpcContext } from '../../../kernel/index.ts';
import type { Json } from '../../../schemas/loose.ts';
import type { Instance } from '../../instances/api.ts';

/** As much of a call as the delivery looks at. */
export interface CallOrigin {
  /** `params._meta` of the client. */
  readonly meta?: Json | undefined;
  /** Whom it comes from; empty for REST. */
  readonly caller?: Partial<Pick<RpcContext, 'session' | 'notify'>>;
}

/** One call on its way to an instance. */
export interface CallDelivery {
  /** `_meta` for the instance: the client's, its progress token replaced by one that no other client has. */
  readonly meta: Record<string, unknown> | undefined;
  /** Takes what the instance tells on the call's own answer stream. */
  onNotification(method: string, params: Record<string, unknown>): void;
  /** The call is answered or has failed; `jobId` when the answer is the receipt of a job, which is known from then on. */
  settled(jobId?: string): Awaitable<void>;
}

export interface DeliveryService {
  /** Begins a call; `settled` must follow. */
  begin(instance_id: string, origin: CallOrigin): CallDelivery;
  /**
   * The instance that owns a job: known from its receipt, otherwise asked of every live instance.
   * Rejects with SVC_RELAY_JOB_UNKNOWN.
   */
  ownerOf(jobId: string): Promise<Instance>;
}

declare module 'fastify' {
  interface FastifyInstance {
    delivery: DeliveryService;
  }
}
