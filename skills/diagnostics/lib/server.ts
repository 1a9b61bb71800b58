/** Calls the server's internal tools and unwraps what they answer. */
import type { SkillContext } from 'svc';

export type Fields = Record<string, unknown>;

/** The structured answer of an internal tool; throws with the tool's own words when it failed. */
export async function ask(ctx: SkillContext, tool: string, args: Fields = {}): Promise<Fields> {
  const result = await ctx.call(tool, args);
  const text = textOf(result.content);
  if (result.isError === true) throw new Error(`${tool} failed: ${text || 'it gave no reason'}`);
  const value = result.structuredContent ?? parse(text);
  if (!isFields(value)) throw new Error(`${tool} answered without structured content`);
  return value;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list of objects from a field, whatever is there. */
export function rowsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function succeed(message: string, context: Fields) {
  return { success: true, message, error: null, context };
}

function textOf(content: readonly Fields[]): string {
  const first = content.find(block => block.type === 'text');
  return typeof first?.text === 'string' ? first.text : '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
