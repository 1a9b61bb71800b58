/** Configuration: schema defaults <- file <- environment <- options; validated as a whole, then frozen. */
import { delimiter } from 'node:path';
import { type ServerConfig, ServerConfigSchema, type ServerOptions } from '../schemas/server-config.ts';
import { kernelErrors } from './errors.ts';
import { createSchemas, type JsonSchema, type Problem, summary, type Validator } from './schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface PropertySchema extends JsonSchema {
  type?: string;
  default?: unknown;
  anyOf?: PropertySchema[];
}

/** Property schemas of the configuration by name. */
export const configProperties = ServerConfigSchema.properties as unknown as Record<string, PropertySchema>;

/** Environment variable of an option: `SVC_` and its name in capitals. */
export const environmentName = (option: string): string => `SVC_${option.toUpperCase()}`;

let compiled: Validator | undefined;

/** Merges the sources and validates; throws SVC_KERNEL_CONFIG_INVALID that names the option and the source. */
export function resolveConfig(
  options: ServerOptions = {},
  env: Environment = {},
  file: ServerOptions = {},
): ServerConfig {
  const fromEnv = readEnvironment(env);
  compiled ??= createSchemas().compileWithDefaults(ServerConfigSchema as unknown as JsonSchema);
  const validate = compiled;
  for (const [source, values] of Object.entries({ 'config file': file, environment: fromEnv, options })) {
    refuse(source, validate({ ...values }), values);
  }
  const merged = { ...file, ...fromEnv, ...withoutUndefined(options) };
  refuse('merged', validate(merged), merged);
  return frozenCopy(merged) as ServerConfig;
}

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Reads a text as the type of `option`; what does not fit stays text, so that validation names it. */
export function parseOption(option: string, text: string): unknown {
  const property = configProperties[option] as PropertySchema;
  const types = [property.type, ...(property.anyOf ?? []).map(each => each.type)];
  if (types.includes('null') && text === '') return null;
  if (types.includes('boolean')) return flags.get(text.toLowerCase()) ?? text;
  if (types.includes('integer') || types.includes('number')) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (types.includes('array')) {
    if (text.startsWith('[')) return parseJson(text);
    return text
      .split(option.endsWith('_paths') ? delimiter : ',')
      .map(each => each.trim())
      .filter(Boolean);
  }
  return types.includes('object') ? parseJson(text) : text;
}

function readEnvironment(env: Environment): ServerOptions {
  const found: Record<string, unknown> = {};
  for (const option of Object.keys(configProperties)) {
    const text = env[environmentName(option)];
    if (text !== undefined) found[option] = parseOption(option, text);
  }
  return found as ServerOptions;
}

function refuse(source: string, problems: Problem[] | undefined, values: object): void {
  if (!problems) return;
  const unknown = problems.filter(each => each.message.endsWith('is not a known field')).map(each => each.field);
  const hints = unknown.map(nearest).filter(Boolean);
  const hint = hints.length > 0 ? ` (did you mean ${hints.join(', ')}?)` : '';
  const option = problems[0]?.field ?? '';
  const where = source === 'environment' && option in values ? `environment ${environmentName(option)}` : source;
  throw kernelErrors.CONFIG_INVALID({ source: where, reason: summary(problems) + hint, option });
}

/** The known option that shares the most leading or contained letters with a misspelt one. */
function nearest(name: string): string | undefined {
  const squash = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
  const wanted = squash(name);
  return Object.keys(configProperties).find(option => {
    const known = squash(option);
    return known === wanted || (wanted.length > 3 && (known.startsWith(wanted) || wanted.startsWith(known)));
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

/** A copy, so that the caller's own objects stay as they are. */
function frozenCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  if (typeof value !== 'object' || value === null) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, frozenCopy(each)])));
}
