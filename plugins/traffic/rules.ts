/** The rules of the file: which frames are captured, and what is taken out of their bodies. */
import { isObject, type Json } from '../../schemas/loose.ts';
import { nearest } from '../../schemas/nearest.ts';
import { isLike } from '../../schemas/wildcard.ts';

/** What a filter may ask of a frame; below an entry with a star anything. */
const askable = [
  ...['capture_id', 'session_id', 'direction', 'leg', 'transport', 'instance_id', 'dcc_type'],
  ...['http.method', 'http.url', 'http.status', 'http.headers.*', 'mcp.kind', 'mcp.method', 'mcp.id'],
  ...['body.size_bytes', 'body.truncated', 'body.data.*'],
];

export interface Filter {
  readonly path: readonly string[];
  readonly pattern: string;
}

/** A rule as it was written; throws for a path that no frame has. */
export function filterOf(rule: Readonly<Record<string, unknown>>): Filter {
  const [[path, pattern] = ['', '']] = Object.entries(rule);
  const known = path.replace(/^attributes\./, '');
  if (!isLike(known, askable)) {
    const plain = askable.map(each => each.replace(/\.\*$/, ''));
    const meant = nearest(known, plain);
    throw new Error(
      `no frame has "${path}"${meant === undefined ? `: ask for one of ${plain.join(', ')}` : `, did you mean "${meant}"?`}`,
    );
  }
  return { path: known.split('.'), pattern: String(pattern) };
}

export interface Filters {
  readonly include: readonly Filter[];
  readonly exclude: readonly Filter[];
}

/** Why a frame is not captured; nothing for one that is. */
export function refusal({ include, exclude }: Filters, frame: object): 'excluded' | 'not_included' | undefined {
  if (exclude.some(each => matches(each, frame))) return 'excluded';
  if (include.length > 0 && !include.some(each => matches(each, frame))) return 'not_included';
  return undefined;
}

function matches({ path, pattern }: Filter, frame: object): boolean {
  let value: unknown = frame;
  for (const name of path) value = isObject(value) || Array.isArray(value) ? (value as Json)[name] : undefined;
  if (value === undefined || value === null || typeof value === 'object') return false;
  return pattern === '*' || isLike(String(value), [pattern]);
}

export interface Replacement {
  readonly path: readonly string[];
  readonly text: string;
}

/** `body.data.params.arguments.code`, or without what all bodies have before it. `*` stands for any one name. */
export function replacementOf(rule: Readonly<Record<string, string>>): Replacement {
  const [[given, text] = ['', '']] = Object.entries(rule);
  const path = given.replace(/^(?:attributes\.)?body\.(?:data\.)?/, '').split('.');
  if (path.some(each => each === '')) throw new Error(`"${given}" is no path in a body`);
  return { path, text };
}

/** Puts the texts into `body`, which is changed, where something stands; `found` is told each path. */
export function replace(body: unknown, rules: readonly Replacement[], found: (path: string) => void): void {
  for (const { path, text } of rules) put(body, path, text, '', found);
}

function put(value: unknown, path: readonly string[], text: string, at: string, found: (path: string) => void): void {
  const [name = '', ...rest] = path;
  if (typeof value !== 'object' || value === null) return;
  const members = value as Json;
  const names = name === '*' ? Object.keys(members) : Object.hasOwn(members, name) ? [name] : [];
  for (const each of names) {
    const here = at === '' ? each : `${at}.${each}`;
    if (rest.length > 0) put(members[each], rest, text, here, found);
    else {
      members[each] = text;
      found(here);
    }
  }
}
