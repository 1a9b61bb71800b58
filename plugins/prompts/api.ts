/** What other plugins may use of prompts. */
import type { Disposer } from '../../kernel/index.ts';
import type { Prompt, RenderedPrompt } from './declarations.ts';
import type { PromptCaller } from './methods/api.ts';

export type { Prompt, PromptArgument, PromptCall, PromptMessage, RenderedPrompt } from './declarations.ts';
export { checkPrompts } from './prompt-check.ts';

/** A prompt as prompts/list shows it. */
export interface ListedPrompt {
  name: string;
  title?: string;
  description?: string;
  arguments: readonly { name: string; description?: string; required: boolean }[];
}

export interface PromptsService {
  /**
   * Publishes the prompts of `owner`, replacing what it had, in one step. A name that an earlier owner has becomes
   * `<owner>.<name>`, which finds the prompt in any case.
   */
  publish(owner: string, prompts: readonly Prompt[]): Disposer;
  /** By name. */
  list(): readonly ListedPrompt[];
  /** Throws SVC_PROMPTS_* for an unknown prompt, a missing argument or one that is no text; other names are ignored. */
  render(
    name: string,
    args: Readonly<Record<string, unknown>>,
    caller?: PromptCaller,
  ): RenderedPrompt | Promise<RenderedPrompt>;
  /** Values that begin with `value`; undefined for an unknown prompt. */
  complete(name: string, argument: string, value: string): readonly string[] | undefined;
  /** Resolves when the prompts of every loaded skill have been read. */
  settled(): Promise<void>;
}

declare module 'fastify' {
  interface FastifyInstance {
    prompts: PromptsService;
  }
}
