/** Arguments that a schema itself proposes: a call that can be sent as it stands needs no others. Pure. */

import { isObject, type Json } from '../../schemas/loose.ts';
export interface Sample {
  arguments: Json;
  /** Required arguments that the schema proposes nothing for: the caller must choose them. */
  missing: string[];
}

/** Every required argument with its default, constant, example or only choice. */
export function sampleArguments(schema: Json | undefined): Sample {
  const properties = isObject(schema?.properties) ? schema.properties : {};
  const required = Array.isArray(schema?.required) ? schema.required.filter(each => typeof each === 'string') : [];
  const found: Sample = { arguments: {}, missing: [] };
  for (const name of required) {
    const value = proposed(properties[name]);
    if (value === undefined) found.missing.push(name);
    else found.arguments[name] = value;
  }
  return found;
}

function proposed(property: unknown): unknown {
  if (!isObject(property)) return undefined;
  if (property.default !== undefined) return property.default;
  if (property.const !== undefined) return property.const;
  if (Array.isArray(property.examples) && property.examples.length > 0) return property.examples[0];
  return Array.isArray(property.enum) && property.enum.length === 1 ? property.enum[0] : undefined;
}
