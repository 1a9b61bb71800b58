/** Publishes the prompts of the host: a template of theirs, or a text that the host is asked for. */
import { type Disposer, type Host, kernelErrors, messageOf, type Scope, serverErrors } from '../../kernel/index.ts';
import { anyOf, inputOf, key, optional } from '../../schemas/operation.ts';
import { PromptArgumentSchema, PromptDeclarationSchema } from '../../schemas/prompt.ts';
import type { Prompt, PromptsService, RenderedPrompt } from './api.ts';
import { toPrompt } from './declarations.ts';
import { promptErrors } from './errors.ts';
import type { HostPrompt } from './host.ts';
import { type RenderQuestion, renderQuestion } from './wire.ts';

const { name, template, ...others } = PromptDeclarationSchema.properties;
const { name: argument, ...more } = PromptArgumentSchema.properties;
const optionals = (properties: object): object =>
  Object.fromEntries(Object.entries(properties).map(([each, schema]) => [each, optional(schema)]));
const input = inputOf({
  definition: anyOf<HostPrompt>(
    inputOf({
      name,
      ...optionals({ ...others, template }),
      arguments: optional({ type: 'array', maxItems: 50, items: inputOf({ name: argument, ...optionals(more) }) }),
    }),
  ),
  key: optional(key),
});
const owner = 'host';

export function addHostPrompts(host: Host, prompts: Pick<PromptsService, 'publish'>, scope: Scope): void {
  const own = new Map<string, Prompt>();
  let withdraw: Disposer = () => undefined;
  const publish = (): void => {
    withdraw = prompts.publish(owner, [...own.values()]);
  };

  /** Asks the host for what the arguments make. */
  const asking =
    (prompt: Prompt, key: number): NonNullable<Prompt['render']> =>
    async args => {
      try {
        return rendered(prompt, await host.ask(renderQuestion, { key, args } satisfies RenderQuestion));
      } catch (error) {
        throw promptErrors.FAILED({ name: prompt.name, reason: messageOf(error) }, error);
      }
    };

  const register = host.operation('registerPrompt', input, ({ definition, key }) => {
    if (definition.template === undefined && key === undefined) {
      const problem = 'definition.template must be given where there is no handler';
      throw serverErrors.INVALID_ARGUMENT({ problem, field: 'definition.template' });
    }
    const prompt = toPrompt(definition);
    if (own.has(prompt.name)) throw kernelErrors.DUPLICATE({ kind: 'host prompt', name: prompt.name });
    own.set(prompt.name, key === undefined ? prompt : { ...prompt, render: asking(prompt, key) });
    publish();
    return () => {
      own.delete(prompt.name);
      publish();
    };
  });
  scope.add('operation', register);
  scope.add('host prompts', () => withdraw());
}

/** What a handler gave, as prompts/get answers it. */
function rendered({ description }: Prompt, given: unknown): RenderedPrompt {
  const head = description === undefined ? {} : { description };
  if (typeof given === 'string') {
    return { ...head, messages: [{ role: 'user', content: { type: 'text', text: given } }] };
  }
  const { messages } = (given ?? {}) as Partial<RenderedPrompt>;
  if (!Array.isArray(messages)) throw new TypeError('its handler must return a text, or an object with "messages"');
  return { ...head, ...(given as RenderedPrompt) };
}
