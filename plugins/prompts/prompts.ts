/** Who publishes which prompts, under which name clients find it, and what it renders to. */
import type { Disposer } from '../../kernel/index.ts';
import { type Ask, asking } from '../../schemas/asking.ts';
import type { ListedPrompt, Prompt, PromptArgument, PromptCall, PromptMessage, PromptsService } from './api.ts';
import { promptErrors } from './errors.ts';
import { type CompiledMessage, compileMessages, renderMessages } from './messages.ts';
import type { PromptCaller } from './methods/api.ts';

/** Most characters of a rendered prompt. */
const longestRendered = 1024 * 1024;

export interface PromptsDeps {
  /** Told when prompts/list would answer something else than before. */
  onChange(): void;
}

interface Compiled {
  prompt: Prompt;
  messages: readonly CompiledMessage[];
}

interface Names {
  listed: readonly ListedPrompt[];
  /** By the name that is listed, and by `<owner>.<name>`. */
  found: ReadonlyMap<string, Compiled>;
}

export type Prompts = Omit<PromptsService, 'settled'>;

export function createPrompts({ onChange }: PromptsDeps): Prompts {
  const owners = new Map<string, readonly Compiled[]>();
  let names: Names = { listed: [], found: new Map() };
  let shown = '[]';

  const update = (): void => {
    names = nameAll(owners);
    const now = JSON.stringify(names.listed);
    if (now === shown) return;
    shown = now;
    onChange();
  };

  const valuesOf = (name: string, { prompt }: Compiled, args: Readonly<Record<string, unknown>>) => {
    const values = new Map<string, string>();
    for (const argument of prompt.arguments) {
      const value = givenText(name, argument, args) ?? argument.default;
      if (value !== undefined) values.set(argument.name, value);
      else if (argument.required) throw promptErrors.MISSING_ARGUMENT({ name, argument: argument.name });
    }
    return values;
  };

  return {
    publish(owner, prompts): Disposer {
      const mine = prompts.map(prompt => ({
        prompt,
        messages: compileMessages(messagesOf(prompt), new Set(prompt.arguments.map(each => each.name))),
      }));
      // An owner keeps its place, and with it the names it came first to.
      owners.set(owner, mine);
      update();
      return () => {
        if (owners.get(owner) !== mine) return;
        owners.delete(owner);
        update();
      };
    },

    list: () => names.listed,

    render(name, args, caller = nobody) {
      const found = names.found.get(name);
      if (!found) throw promptErrors.NOT_FOUND({ name: name.slice(0, 200) });
      const values = valuesOf(name, found, args);
      if (found.prompt.render) return found.prompt.render(Object.fromEntries(values), callOf(name, caller));
      const messages = renderMessages(found.messages, values, longestRendered);
      if (messages === undefined) throw promptErrors.TOO_LARGE({ name, limit: longestRendered });
      const { description } = found.prompt;
      return { ...(description !== undefined && { description }), messages };
    },

    complete(name, argument, value) {
      const found = names.found.get(name);
      if (!found) return undefined;
      const values = found.prompt.arguments.find(each => each.name === argument)?.values ?? [];
      const start = value.toLowerCase();
      return values.filter(each => each.toLowerCase().startsWith(start));
    },
  };
}

const nobody: PromptCaller = { signal: new AbortController().signal };

function callOf(prompt: string, { signal, ask }: PromptCaller): PromptCall {
  const refuse: Ask = async method => {
    throw promptErrors.CANNOT_ASK({ method, prompt });
  };
  return { signal, ...asking(ask ?? refuse) };
}

const messagesOf = ({ template = '', messages }: Prompt): readonly PromptMessage[] =>
  messages ?? [{ role: 'user', content: { type: 'text', text: template } }];

/** Names in the order of the owners: the first to ask for one has it, a later one is `<owner>.<name>`. */
function nameAll(owners: ReadonlyMap<string, readonly Compiled[]>): Names {
  const found = new Map<string, Compiled>();
  const qualified = new Map<string, Compiled>();
  const listed: ListedPrompt[] = [];
  for (const [owner, prompts] of owners) {
    for (const each of prompts) {
      const full = `${owner}.${each.prompt.name}`;
      const name = found.has(each.prompt.name) ? full : each.prompt.name;
      if (!qualified.has(full)) qualified.set(full, each);
      // Both taken: someone named a prompt after another owner's. It stays out rather than in the way.
      if (found.has(name)) continue;
      found.set(name, each);
      listed.push(record(name, each.prompt));
    }
  }
  for (const [full, each] of qualified) if (!found.has(full)) found.set(full, each);
  return { listed: listed.sort((a, b) => (a.name < b.name ? -1 : 1)), found };
}

const record = (name: string, { title, description, arguments: all }: Prompt): ListedPrompt => ({
  name,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  arguments: all.map(each => ({
    name: each.name,
    ...(each.description !== undefined && { description: each.description }),
    required: each.required,
  })),
});

/** The given value as text; numbers and booleans are taken for what they look like. */
function givenText(name: string, { name: argument }: PromptArgument, args: Readonly<Record<string, unknown>>) {
  const value = Object.hasOwn(args, argument) ? args[argument] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw promptErrors.BAD_ARGUMENT({ name, argument, type: Array.isArray(value) ? 'a list' : 'an object' });
}
