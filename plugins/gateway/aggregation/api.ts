/** What other plugins may use of the aggregated prompts; resources are aggregated behind `app.resources`. */
import type { PromptCaller } from '../../prompts/methods/api.ts';

/** A prompt of an instance, under `<dcc>.<id8>.<name>`. */
export interface GatewayPrompt {
  name: string;
  title?: string;
  description?: string;
  arguments: readonly { name: string; description?: string; required?: boolean }[];
  _meta?: Record<string, unknown>;
}

export interface AggregationService {
  /** Prompts of every live instance. */
  prompts(): Promise<GatewayPrompt[]>;
  /** Renders one; rejects with the instance's own error, or with why the name leads nowhere. */
  renderPrompt(name: string, args: Record<string, unknown>, caller: PromptCaller): Promise<unknown>;
}

declare module 'fastify' {
  interface FastifyInstance {
    aggregation: AggregationService;
  }
}
