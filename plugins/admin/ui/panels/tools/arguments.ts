/** Arguments of a tool from what stands in the fields of a form, and what is wrong with them. Pure. */

export interface Schema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

export type Kind = 'text' | 'number' | 'integer' | 'flag' | 'choice' | 'json';

export function kindOf({ type, enum: values }: Schema): Kind {
  if (values) return 'choice';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return type;
  return type === 'boolean' ? 'flag' : 'json';
}

/** What a field begins with. */
export function initialText(schema: Schema): string {
  const { default: value } = schema;
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface Read {
  args: Record<string, unknown>;
  /** By field. */
  problems: Record<string, string>;
}

export function readArguments(schema: Schema, texts: Readonly<Record<string, string>>): Read {
  const args: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const text = texts[name] ?? '';
    if (text === '') {
      if (schema.required?.includes(name)) problems[name] = 'It is needed';
      continue;
    }
    const read = readOne(property, text);
    if (read.problem === undefined) args[name] = read.value;
    else problems[name] = read.problem;
  }
  return { args, problems };
}

function readOne(schema: Schema, text: string): { value?: unknown; problem?: string } {
  const kind = kindOf(schema);
  if (kind === 'text') return { value: text };
  if (kind === 'flag') return { value: text === 'true' };
  if (kind === 'choice') return { value: schema.enum?.find(each => String(each) === text) };
  if (kind === 'json') {
    try {
      return { value: JSON.parse(text) };
    } catch {
      return { problem: 'It must be JSON, such as ["a", "b"] or {"x": 1}' };
    }
  }
  const value = Number(text);
  if (Number.isNaN(value)) return { problem: 'It must be a number' };
  if (kind === 'integer' && !Number.isInteger(value)) return { problem: 'It must be a whole number' };
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (value < minimum) return { problem: `It must be at least ${minimum}` };
  return value > maximum ? { problem: `It must be at most ${maximum}` } : { value };
}
