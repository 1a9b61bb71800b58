/** What other plugins may use of prompts. */
import type { Disposer } from '../../kernel/index.ts';

export interface PromptArgument {
  name: string;
  description?: string;
  required: boolean;
}

export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  arguments: readonly PromptArgument[];
  /** Text with `{{argument}}` placeholders. */
  template: string;
}

export interface RenderedPrompt {
  description?: string;
  messages: readonly { role: 'user' | 'assistant'; content: Record<string, unknown> }[];
}

export interface PromptsService {
  /** Publishes the prompts of `owner`, replacing what it had, in one step. */
  publish(owner: string, prompts: readonly Prompt[]): Disposer;
  list(): readonly Prompt[];
  /** Rejects with SVC_RPC_INVALID_PARAMS for an unknown prompt or a missing argument. */
  render(name: string, args: Readonly<Record<string, string>>): RenderedPrompt;
}

declare module 'fastify' {
  interface FastifyInstance {
    prompts: PromptsService;
  }
}
