/** Arguments of a tool as a command line has them: `name=value`, each read as its schema says. Pure. */
import { cliErrors } from './errors.ts';
import type { Fields } from './mcp-client.ts';

interface Schema {
  type?: string | readonly string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  definitions?: Record<string, Schema>;
}

/** `given` over `base`. A name that comes again adds to a list; `scene.name=x` is a member of `scene`. */
export function readArguments(given: readonly string[], schema: Fields, base: Fields = {}): Fields {
  const root = schema as Schema;
  const args = structuredClone(base);
  const seen = new Set<string>();
  for (const text of given) {
    const cut = text.indexOf('=');
    const name = cut < 0 ? text : text.slice(0, cut);
    // A name alone switches something on.
    const value = cut < 0 ? 'true' : text.slice(cut + 1);
    if (name === '') throw cliErrors.FLAG_INVALID({ flag: '--arg', reason: `"${text}" is not <name>=<value>` });
    put(args, name, value, root, seen);
  }
  return args;
}

function put(args: Fields, name: string, value: string, root: Schema, seen: Set<string>): void {
  const own = resolved(root, root).properties ?? {};
  const path = Object.hasOwn(own, name) ? [name] : name.split('.');
  let target = args;
  let schema: Schema | undefined = resolved(root, root);
  for (const step of path.slice(0, -1)) {
    if (typeof target[step] !== 'object' || target[step] === null) target[step] = {};
    target = target[step] as Fields;
    schema = resolved(schema?.properties?.[step], root);
  }
  const key = path.at(-1) ?? name;
  const wanted = resolved(schema?.properties?.[key], root);
  const isList = typesOf(wanted, root).includes('array') && !value.trimStart().startsWith('[');
  const read = readValue(value, isList ? resolved(wanted.items, root) : wanted, root, name);
  if (isList) target[key] = [...(seen.has(name) && Array.isArray(target[key]) ? target[key] : []), read];
  else target[key] = read;
  seen.add(name);
}

/** The first of its types that the text is one of; a text where nothing else is allowed or fits. */
function readValue(text: string, schema: Schema, root: Schema, name: string): unknown {
  const types = typesOf(schema, root);
  const value = jsonOf(text);
  const fits = (type: string): boolean => {
    if (type === 'integer') return Number.isInteger(value);
    if (type === 'null') return value === null;
    if (type === 'array') return Array.isArray(value);
    if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
    return type !== 'string' && typeof value === type;
  };
  // What is not said may be anything.
  if (types.length === 0) return value === undefined ? text : value;
  if (types.some(fits)) return value;
  if (types.includes('boolean') && /^(?:yes|on|no|off|1|0)$/i.test(text)) return /^(?:yes|on|1)$/i.test(text);
  if (types.includes('string')) return text;
  const reason = `${name} must be ${types.join(' or ')}, "${text.slice(0, 80)}" is none`;
  throw cliErrors.FLAG_INVALID({ flag: '--arg', reason });
}

/** Every type that a value may have, as far as the schema tells. */
function typesOf(schema: Schema, root: Schema): string[] {
  const { type, enum: values, anyOf, oneOf } = schema;
  if (type !== undefined) return typeof type === 'string' ? [type] : [...type];
  if (values) return [...new Set(values.map(each => (each === null ? 'null' : typeof each)))];
  return [...new Set([...(anyOf ?? []), ...(oneOf ?? [])].flatMap(each => typesOf(resolved(each, root), root)))];
}

/** References inside the schema are followed, as far as a few steps lead. */
function resolved(schema: Schema | undefined, root: Schema): Schema {
  let found = schema ?? {};
  for (let left = 8; found.$ref !== undefined && left > 0; left -= 1) {
    const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(found.$ref)?.[1] ?? '';
    found = root.$defs?.[name] ?? root.definitions?.[name] ?? {};
  }
  const parts = found.allOf ?? [];
  return parts.length === 0 ? found : Object.assign({}, ...parts.map(each => resolved(each, root)), found);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
