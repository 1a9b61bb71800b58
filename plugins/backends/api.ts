/** What other plugins may use of the connections to the instances. */
import type { Instance } from '../instances/api.ts';

export interface CallOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
  idempotent?: boolean;
  onNotification?(method: string, params: Record<string, unknown>): void;
}

export interface Backend {
  readonly instance: Instance;
  readonly instance_id: string;
  request(method: string, params: Record<string, unknown>, options?: CallOptions): Promise<unknown>;
  callRaw(
    name: string,
    argumentsJson: string,
    meta: Record<string, unknown> | undefined,
    options?: CallOptions,
  ): Promise<{ resultJson: string }>;
  http(
    method: string,
    path: string,
    options?: {
      body?: string;
      headers?: Record<string, string>;
      timeoutMs?: number;
      signal?: AbortSignal;
      idempotent?: boolean;
    },
  ): Promise<{ status: number; headers: Record<string, string>; body: Buffer }>;
}

export interface BackendsService {
  get(instance_id: string): Backend;
  list(): readonly Backend[];
}

declare module 'fastify' {
  interface FastifyInstance {
    backends: BackendsService;
  }
}
