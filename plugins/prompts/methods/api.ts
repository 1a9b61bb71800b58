/** What other plugins may use of MCP's prompts capability: they say what prompts there are. */
import type { Disposer } from '../../../kernel/index.ts';
import type { Ask } from '../../../schemas/asking.ts';

/** Who asks for a prompt, and can be asked back where `ask` is there. */
export interface PromptCaller {
  readonly signal: AbortSignal;
  readonly ask?: Ask;
  /** What it declared that it can be asked. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

/** Where prompts come from: the skills of an instance, or the instances of a gateway. */
export interface PromptSource {
  /** Every prompt, as prompts/list shows it. */
  list(): Promise<readonly object[]>;
  /** The answer of prompts/get; rejects with what is wrong with the name or the arguments. */
  render(name: string, args: Record<string, unknown>, caller: PromptCaller): Promise<unknown>;
  /** Values for an argument; undefined for an unknown prompt. */
  complete(
    name: string,
    argument: { name: string; value: string },
  ): readonly string[] | undefined | Promise<readonly string[] | undefined>;
}

export interface PromptMethodsService {
  /** Serves `source`, the only one, as prompts/list, prompts/get and completion/complete, until disposed of. */
  serve(source: PromptSource): Disposer;
  changed(): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    promptMethods: PromptMethodsService;
  }
}
