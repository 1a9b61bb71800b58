/** Messages of a prompt with `{{argument}}` placeholders in their texts: cut into parts once, rendered in one pass. */
import type { PromptMessage } from './declarations.ts';
import { compileTemplate, renderTemplate, type TemplatePart } from './template.ts';

/** Members of a content block whose text may hold placeholders; the others are data. */
const templated = new Set(['text', 'uri', 'name']);

type Rendered = (values: ReadonlyMap<string, string>, limit: number) => unknown;

export interface CompiledMessage {
  role: PromptMessage['role'];
  content: Rendered;
}

const tooLong = Symbol('too long');

function compileValue(value: unknown, key: string, known: ReadonlySet<string>): Rendered {
  if (typeof value === 'string' && templated.has(key)) {
    const parts: readonly TemplatePart[] = compileTemplate(value, known);
    return (values, limit) => renderTemplate(parts, values, limit) ?? tooLong;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return () => value;
  const members = Object.entries(value).map(([name, each]) => [name, compileValue(each, name, known)] as const);
  return (values, limit) => {
    const made = members.map(([name, member]) => [name, member(values, limit)] as const);
    return made.some(([, each]) => each === tooLong) ? tooLong : Object.fromEntries(made);
  };
}

export const compileMessages = (messages: readonly PromptMessage[], known: ReadonlySet<string>): CompiledMessage[] =>
  messages.map(({ role, content }) => ({ role, content: compileValue(content, '', known) }));

/** The messages with `values` in place, or undefined when a text would be longer than `limit`. */
export function renderMessages(
  messages: readonly CompiledMessage[],
  values: ReadonlyMap<string, string>,
  limit: number,
): PromptMessage[] | undefined {
  const made = messages.map(({ role, content }) => ({ role, content: content(values, limit) }));
  return made.some(each => each.content === tooLong) ? undefined : (made as PromptMessage[]);
}
