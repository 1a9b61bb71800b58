/** Arguments of a tool that its schema wants repeated in headers (`x-mcp-header`), for who routes without reading bodies. */
import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../../schemas/loose.ts';
import { mismatch } from './envelope.ts';
import { headerText } from './header-text.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Declared {
  readonly header: string;
  readonly path: readonly string[];
  readonly type: unknown;
}

const known = new WeakMap<Fields, readonly Declared[]>();

/** Throws SVC_MCP_HEADER_MISMATCH when a header says something else than its argument. */
export function assertParams(schema: Fields, args: unknown, headers: IncomingHttpHeaders): void {
  for (const { header, path, type } of declaredIn(schema)) {
    const found = headers[`mcp-param-${header.toLowerCase()}`];
    const value = path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), args) ?? undefined;
    if (value === undefined && found === undefined) continue;
    // What is no plain value is refused by the schema itself.
    if (typeof value === 'object') continue;
    const text = headerText(found);
    if (text === undefined || !same(text, value, type)) throw mismatch(`Mcp-Param-${header}`, found, value ?? null);
  }
}

/** Whole numbers are compared as numbers: 42.0 is 42. */
const same = (text: string, value: unknown, type: unknown): boolean =>
  typeof value === 'number' && type === 'integer'
    ? /^-?\d+(\.0*)?$/.test(text) && Number(text) === value
    : text === String(value);

function declaredIn(schema: Fields): readonly Declared[] {
  const seen = known.get(schema);
  if (seen) return seen;
  const found: Declared[] = [];
  const visit = (node: unknown, path: readonly string[]): void => {
    if (!isObject(node)) return;
    const { 'x-mcp-header': header, type, properties } = node;
    if (typeof header === 'string' && header !== '' && path.length > 0) found.push({ header, path, type });
    if (isObject(properties)) for (const [key, each] of Object.entries(properties)) visit(each, [...path, key]);
  };
  visit(schema, []);
  known.set(schema, found);
  return found;
}
