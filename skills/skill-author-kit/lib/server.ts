/** Calls the server's own tools and unwraps what they answer. */
import type { SkillContext } from 'svc';

type SkillCallResult = Awaited<ReturnType<SkillContext['call']>>;

export type Fields = Record<string, unknown>;

export interface Envelope {
  success: boolean;
  message: string;
  error: string | null;
  context: Fields;
}

/** What a tool of the server answered: its structured value, or the text of its failure. */
export type Answer = { value: Fields } | { failure: string };

/** Asks; a refusal comes back as `failure`, only an abort is thrown on. */
export async function ask(ctx: SkillContext, tool: string, args: Fields): Promise<Answer> {
  let result: SkillCallResult;
  try {
    result = await ctx.call(tool, args);
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    return { failure: error instanceof Error ? error.message : String(error) };
  }
  const text = textOf(result.content);
  const value = result.structuredContent ?? parse(text);
  // A tool that failed may still answer with a record of what is wrong.
  if (result.isError === true)
    return { failure: (isFields(value) && textField(value, 'message')) || text || `${tool} failed` };
  return isFields(value) ? { value } : { failure: `${tool} answered without structured content` };
}

export function succeed(message: string, context: Fields): Envelope {
  return { success: true, message, error: null, context };
}

export function fail(error: string, message: string, context: Fields = {}): Envelope {
  return { success: false, message, error, context };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function rowsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function textField(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? value : '';
}

function textOf(content: readonly Fields[]): string {
  const first = content.find(block => block.type === 'text');
  return first === undefined ? '' : textField(first, 'text');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
