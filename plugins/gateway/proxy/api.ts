/** What other plugins may use of the transparent proxy: a say in which calls pass it. */
import type { Disposer } from '../../../kernel/index.ts';
import type { Json } from '../../../schemas/loose.ts';
import type { Instance } from '../../instances/api.ts';

/** A tools/call that is about to pass. */
export interface ProxyCall {
  readonly instance: Instance;
  readonly tool: string;
  readonly args: Json;
  readonly meta: Json;
  readonly requestId: string | number;
  /** Name of the client's program, where the proxy has heard it. */
  readonly client: string | undefined;
}

export interface ProxyGuard {
  /** Whether calls are judged at all now: only then is a body read on its way. */
  isOn(): boolean;
  /** Rejects with what the call is answered with. */
  check(call: ProxyCall): Promise<void>;
}

export interface ProxyService {
  guard(guard: ProxyGuard): Disposer;
}

declare module 'fastify' {
  interface FastifyInstance {
    proxy: ProxyService;
  }
}
