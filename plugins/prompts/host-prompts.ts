/** Publishes the prompts of the host: a template of theirs, or a text that the host is asked for. */
import { Type } from 'typebox';
import {
  type Disposer,
  type Host,
  kernelErrors,
  messageOf,
  rpcErrors,
  type Scope,
  serverErrors,
} from '../../kernel/index.ts';
import { anyOf, inputOf, key, optional, text } from '../../schemas/operation.ts';
import { PromptArgumentSchema, PromptDeclarationSchema } from '../../schemas/prompt.ts';
import type { Prompt, PromptsService, RenderedPrompt } from './api.ts';
import { toPrompt } from './declarations.ts';
import { promptErrors } from './errors.ts';
import type { HostPrompt } from './host.ts';
import { createRendering, type Rendering } from './rendering.ts';
import { askOperation, type RenderQuestion, renderQuestion } from './wire.ts';

const { name, template, messages: _, ...others } = PromptDeclarationSchema.properties;
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
const question = inputOf({
  rendering: key,
  method: text,
  params: anyOf<Record<string, unknown>>({ type: 'object' }),
  name: optional(text),
  timeoutMs: optional(Type.Number({ exclusiveMinimum: 0 })),
});
const owner = 'host';

export interface HostPromptsDeps {
  host: Host;
  prompts: Pick<PromptsService, 'publish'>;
  scope: Scope;
  /** How long the host may take, questions apart. */
  timeoutMs: number;
}

export function addHostPrompts({ host, prompts, scope, timeoutMs }: HostPromptsDeps): void {
  const own = new Map<string, Prompt>();
  const open = new Map<number, Rendering>();
  let last = 0;
  let withdraw: Disposer = () => undefined;
  const publish = (): void => {
    withdraw = prompts.publish(owner, [...own.values()]);
  };

  /** Asks the host for what the arguments make, and the client what the host asks meanwhile. */
  const rendering =
    (prompt: Prompt, key: number): NonNullable<Prompt['render']> =>
    async (args, call) => {
      last += 1;
      const number = last;
      const made = createRendering(call, timeoutMs);
      open.set(number, made);
      try {
        const asked: RenderQuestion = { key, args, rendering: number };
        const ask = async () => host.ask(renderQuestion, asked, { timeoutMs: 0, signal: made.signal });
        return rendered(prompt, await made.orGivenUp(ask()));
      } catch (error) {
        throw made.failure(error) ?? promptErrors.FAILED({ name: prompt.name, reason: messageOf(error) }, error);
      } finally {
        open.delete(number);
        made.end();
      }
    };

  const askForPrompt = host.operation(askOperation, question, ({ rendering: number, method, params, ...options }) => {
    const asked = open.get(number);
    if (!asked) throw rpcErrors.CANCELLED({ reason: 'nobody waits for the prompt any more' });
    return asked.ask(method, params, { key: options.name, timeoutMs: options.timeoutMs });
  });
  scope.add('questions', askForPrompt);

  const register = host.operation('registerPrompt', input, ({ definition, key }) => {
    if (definition.template === undefined && key === undefined) {
      const problem = 'definition.template must be given where there is no handler';
      throw serverErrors.INVALID_ARGUMENT({ problem, field: 'definition.template' });
    }
    const prompt = toPrompt(definition);
    if (own.has(prompt.name)) throw kernelErrors.DUPLICATE({ kind: 'host prompt', name: prompt.name });
    own.set(prompt.name, key === undefined ? prompt : { ...prompt, render: rendering(prompt, key) });
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
