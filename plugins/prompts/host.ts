/** Prompts of the host: what renders one stays on its thread. */
import { type AsyncDisposer, createKept, type HostHalf, plainCopy, wrongArgument } from '../../kernel/light.ts';
import { type Ask, asking } from '../../schemas/asking.ts';
import type { PromptDeclaration } from '../../schemas/prompt.ts';
import type { PromptCall, RenderedPrompt } from './api.ts';
import { askOperation, type RenderQuestion, renderQuestion } from './wire.ts';

/** A prompt of the host; `template` may be left out where a handler makes the text. */
export type HostPrompt = Pick<PromptDeclaration, 'name' | 'title' | 'description'> & {
  arguments?: readonly (Pick<PromptDeclaration['arguments'][number], 'name'> &
    Partial<PromptDeclaration['arguments'][number]>)[];
  template?: string;
};

/**
 * Gets the arguments as texts; returns the text, or messages. Defaults stand in, what is required is there. It may ask
 * the client that wants the prompt.
 */
export type PromptHandler = (
  args: Record<string, string>,
  call: PromptCall,
) => string | RenderedPrompt | Promise<string | RenderedPrompt>;

export interface HostPrompts {
  /** Adds a prompt beside those of the skills, rendered by its template or by `handler` on the host's main thread. */
  registerPrompt(definition: HostPrompt, handler?: PromptHandler): Promise<AsyncDisposer>;
}

export const promptsHalf = {
  plugin: 'prompts',
  operations: ['registerPrompt', askOperation],
  open(link): HostPrompts {
    const handlers = createKept<PromptHandler>();
    link.answer(renderQuestion, async (asked, { signal }) => {
      const { key, args, rendering } = asked as RenderQuestion;
      const ask: Ask = (method, params = {}, { key: name, timeoutMs } = {}) =>
        link.call(askOperation, { rendering, method, params, name, timeoutMs });
      return plainCopy('prompt', await handlers.get(key)?.(args, { signal, ...asking(ask) }));
    });
    return {
      async registerPrompt(given, handler) {
        const definition = plainCopy('definition', given);
        if (handler === undefined) return link.call('registerPrompt', { definition });
        if (typeof handler !== 'function') throw wrongArgument('handler', 'a function');
        return handlers.register(handler, key => link.call('registerPrompt', { definition, key }));
      },
    };
  },
} satisfies HostHalf<HostPrompts>;
