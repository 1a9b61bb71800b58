/** An option as a text, of a variable of the environment or of a flag, read by its schema. Pure. */
import { delimiter } from 'node:path';
import { parsed } from './loose.ts';
import type { SettingsSchema } from './settings-schema.ts';
import type { Environment } from './variables.ts';

/** Environment variable of an option: `SVC_` and its name in capitals. */
export const environmentName = (option: string): string => `SVC_${option.toUpperCase()}`;

const flags = new Map(
  Object.entries({ true: true, 1: true, yes: true, on: true, false: false, 0: false, no: false, off: false }),
);

/** Reads a text as the type of `option`; what does not fit stays text, so that validation names it. */
export function parseOption(option: string, text: string, { properties }: SettingsSchema): unknown {
  const { type, anyOf = [] } = properties[option] ?? {};
  const types = [type, ...anyOf.map(each => each.type)];
  if (types.includes('null') && text === '') return null;
  if (types.includes('boolean')) return flags.get(text.toLowerCase()) ?? text;
  if (types.includes('integer') || types.includes('number')) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (types.includes('array')) {
    if (text.startsWith('[')) return json(text);
    return text
      .split(option.endsWith('_paths') ? delimiter : ',')
      .map(each => each.trim())
      .filter(Boolean);
  }
  return types.includes('object') ? json(text) : text;
}

function json(text: string): unknown {
  const value = parsed(text);
  return value === undefined ? text : value;
}

/** The options that variables set. */
export function optionsIn(env: Environment, schema: SettingsSchema): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const option of Object.keys(schema.properties)) {
    const text = env[environmentName(option)];
    // An empty one is how a shell or a service file says that there is none.
    if (text) found[option] = parseOption(option, text, schema);
  }
  return found;
}
