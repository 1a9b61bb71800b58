/** A tool's schema as a form needs it: references followed, choices between types settled. Pure. */

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  definitions?: Record<string, Schema>;
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

export type Kind = 'text' | 'number' | 'integer' | 'flag' | 'choice' | 'json' | 'object' | 'list';

const mostHops = 8;

/** `schema` with what it refers to in `root`, and the one of its alternatives that is not null. */
export function settled(schema: Schema, root: Schema, hops = 0): Schema {
  if (hops > mostHops) return {};
  const { $ref: ref, anyOf, oneOf, allOf, ...rest } = schema;
  if (ref !== undefined) {
    const [, place = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref) ?? [];
    const found = (place === '$defs' ? root.$defs : root.definitions)?.[decodeURIComponent(name)];
    return { ...(found && settled(found, root, hops + 1)), ...rest };
  }
  const [only, ...others] = (anyOf ?? oneOf ?? allOf ?? []).filter(each => each.type !== 'null');
  if (only === undefined) return schema;
  if (others.length === 0) return { ...settled(only, root, hops + 1), ...rest };
  const choices = [only, ...others].map(each => (each.const === undefined ? each.enum : [each.const]));
  return choices.every(Boolean) ? { ...rest, enum: choices.flat() } : schema;
}

/** Of a settled schema. */
export function kindOf({ type, enum: values, const: fixed, properties, items }: Schema): Kind {
  if (values || fixed !== undefined) return 'choice';
  const types = [type].flat().filter(each => each !== undefined && each !== 'null');
  const [first] = types;
  if (types.length !== 1) return types.length === 0 && properties ? 'object' : 'json';
  if (first === 'string') return 'text';
  if (first === 'number' || first === 'integer') return first;
  if (first === 'boolean') return 'flag';
  if (first === 'array') return items ? 'list' : 'json';
  return first === 'object' && Object.keys(properties ?? {}).length > 0 ? 'object' : 'json';
}

export const choicesOf = ({ enum: values, const: fixed }: Schema): readonly unknown[] => values ?? [fixed];
