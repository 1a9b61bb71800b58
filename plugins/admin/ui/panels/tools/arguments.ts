/** Arguments of a tool from what stands in the fields of a form, and what is wrong with them. Pure. */
import { choicesOf, kindOf, type Schema, settled } from './schema.ts';

/** What the fields of a value hold: a text, or the drafts of its members. */
export type Draft = string | Draft[] | { [name: string]: Draft };

/** Deeper than this a value is written as JSON: a schema may contain itself. */
export const mostDepth = 5;

export const kindAt = (schema: Schema, depth: number): ReturnType<typeof kindOf> => {
  const kind = kindOf(schema);
  return depth >= mostDepth && (kind === 'object' || kind === 'list') ? 'json' : kind;
};

/** What a field begins with. */
export function draftOf(given: Schema, root: Schema, value: unknown = undefined, depth = 0): Draft {
  const schema = settled(given, root);
  const begin = value ?? schema.default ?? schema.const;
  const kind = kindAt(schema, depth);
  if (kind === 'object') {
    const members = isObject(begin) ? begin : {};
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, each]) => [
        name,
        draftOf(each, root, members[name], depth + 1),
      ]),
    );
  }
  if (kind === 'list') {
    return Array.isArray(begin) ? begin.map(each => draftOf(schema.items ?? {}, root, each, depth + 1)) : [];
  }
  if (begin === undefined) return '';
  return typeof begin === 'string' ? begin : JSON.stringify(begin);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Nobody has written anything into it: what stands in an object that may be left out are defaults of its members. */
function isUntouched(schema: Schema, root: Schema, draft: Draft, depth: number): boolean {
  if (typeof draft === 'string') return draft === '';
  if (schema.default !== undefined) return false;
  return JSON.stringify(draft) === JSON.stringify(draftOf(schema, root, undefined, depth));
}

export const pathOf = (above: string, name: string | number): string => (above === '' ? `${name}` : `${above}.${name}`);

interface Reading {
  root: Schema;
  /** By the path of the field. */
  problems: Record<string, string>;
}

export function readArguments(
  root: Schema,
  draft: Draft,
): { args: Record<string, unknown>; problems: Reading['problems'] } {
  const reading: Reading = { root, problems: {} };
  const args = readValue(reading, { ...root, type: 'object' }, draft, '', true, 0);
  return { args: isObject(args) ? args : {}, problems: reading.problems };
}

/** Undefined for what is not given. */
function readValue(
  reading: Reading,
  given: Schema,
  draft: Draft,
  path: string,
  needed: boolean,
  depth: number,
): unknown {
  const { root, problems } = reading;
  const schema = settled(given, root);
  if (!needed && isUntouched(schema, root, draft, depth)) return undefined;
  if (Array.isArray(draft)) {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (draft.length < minItems) problems[path] = `It needs at least ${minItems}`;
    if (draft.length > maxItems) problems[path] = `It takes at most ${maxItems}`;
    return draft.map((each, index) =>
      readValue(reading, schema.items ?? {}, each, pathOf(path, index), true, depth + 1),
    );
  }
  if (typeof draft === 'object') {
    const members = Object.entries(schema.properties ?? {}).map(([name, each]): [string, unknown] => {
      const isNeeded = schema.required?.includes(name) ?? false;
      return [name, readValue(reading, each, draft[name] ?? '', pathOf(path, name), isNeeded, depth + 1)];
    });
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  if (draft === '') {
    problems[path] = 'It is needed';
    return undefined;
  }
  const { value, problem } = readText(schema, kindAt(schema, depth), draft);
  if (problem !== undefined) problems[path] = problem;
  return value;
}

interface One {
  value?: unknown;
  problem?: string | undefined;
}

function readText(schema: Schema, kind: ReturnType<typeof kindOf>, text: string): One {
  if (kind === 'text') return { value: text, problem: problemOfText(schema, text) };
  if (kind === 'flag') return { value: text === 'true' };
  if (kind === 'choice') return { value: choicesOf(schema).find(each => String(each) === text) };
  if (kind !== 'number' && kind !== 'integer') {
    try {
      return { value: JSON.parse(text) };
    } catch {
      const { type, anyOf = [], oneOf = [] } = schema;
      const types = [type, ...[...anyOf, ...oneOf].map(each => each.type)].flat();
      return types.includes('string')
        ? { value: text }
        : { problem: 'It must be JSON, such as ["a", "b"] or {"x": 1}' };
    }
  }
  const value = Number(text);
  if (Number.isNaN(value)) return { problem: 'It must be a number' };
  if (kind === 'integer' && !Number.isInteger(value)) return { problem: 'It must be a whole number' };
  return { value, problem: problemOfNumber(schema, value) };
}

function problemOfText({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: Schema, text: string) {
  const length = [...text].length;
  if (length < minLength) return `It must have at least ${minLength} letters`;
  if (length > maxLength) return `It must have at most ${maxLength} letters`;
  return pattern === undefined || fits(pattern, text) ? undefined : `It must fit the pattern ${pattern}`;
}

/** What this browser cannot read is left to the gateway. */
function fits(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function problemOfNumber(schema: Schema, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (minimum !== undefined && value < minimum) return `It must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `It must be at most ${maximum}`;
  if (above !== undefined && value <= above) return `It must be more than ${above}`;
  return below !== undefined && value >= below ? `It must be less than ${below}` : undefined;
}
