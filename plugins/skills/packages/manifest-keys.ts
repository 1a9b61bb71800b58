/** Brings the spellings a manifest may use (kebab, camel, flat, the older namespace) to one: snake_case keys. */

export type Fields = Record<string, unknown>;

/** `timeout-hint-secs` and `timeoutHintSecs` as `timeout_hint_secs`. */
export const snakeKey = (key: string): string =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

/** A copy with snake_case keys; the first spelling of a key wins. */
export function snakeKeys(fields: Fields): Fields {
  const entries = new Map<string, unknown>();
  for (const [key, value] of Object.entries(fields)) {
    const name = snakeKey(key);
    if (!entries.has(name) && value !== null && value !== undefined) entries.set(name, value);
  }
  return Object.fromEntries(entries);
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Our namespace last, so that it wins where both are given. */
export const namespaces = ['dcc-mcp', 'dcc_mcp', 'svc'];

/** The keys of `metadata.dcc-mcp` and `metadata.svc`, nested or flat (`dcc-mcp.<key>`), as one snake_case mapping. */
export function namespaceKeys(metadata: Fields): Fields {
  let merged: Fields = {};
  for (const namespace of namespaces) {
    const flat = Object.entries(metadata)
      .filter(([key]) => key.startsWith(`${namespace}.`))
      .map(([key, value]) => [key.slice(namespace.length + 1), value] as const);
    merged = { ...merged, ...snakeKeys(Object.fromEntries(flat)) };
    const nested = metadata[namespace];
    if (isFields(nested)) merged = { ...merged, ...snakeKeys(nested) };
  }
  return merged;
}

/** A list from a list, or from a text with commas (flat keys hold texts only). Anything else is left for validation. */
export function asList(value: unknown, separator: RegExp = /,/): unknown {
  if (typeof value === 'string') {
    return value
      .split(separator)
      .map(each => each.trim())
      .filter(Boolean);
  }
  return Array.isArray(value) ? value.map(asText) : value;
}

/** A number or boolean as text: `version: 1` and `tags: [2024]` mean texts. */
export const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

/** The words for yes and no, which YAML 1.2 leaves as texts, as booleans. */
export function asFlag(value: unknown): unknown {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === 'true' || word === 'yes' || word === 'on' || word === 1 || word === '1') return true;
  return word === 'false' || word === 'no' || word === 'off' || word === 0 || word === '0' ? false : value;
}

/** `"600"` as 600. */
export const asNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;

/** A word in whatever letter case. */
export const asWord = (value: unknown): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value);

/** Applies `change` to those of `names` that are present. */
export function convert(fields: Fields, names: readonly string[], change: (value: unknown) => unknown): Fields {
  const present = names.filter(name => Object.hasOwn(fields, name));
  return { ...fields, ...Object.fromEntries(present.map(name => [name, change(fields[name])])) };
}
