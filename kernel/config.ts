/**
 * Configuration: the slices of the plugins merged to one schema; schema defaults <- file <- environment <- options,
 * validated as a whole, then frozen. A plugin of another package has a section under its own name instead.
 */
import { delimiter, dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { XStatic } from 'typebox/schema';
import { nearest } from '../schemas/nearest.ts';
import type { Problem } from '../schemas/problems.ts';
import { type ServerConfig, ServerConfigSchema } from '../schemas/server-config.ts';
import type { Environment } from '../schemas/variables.ts';
import { absolutePlugins } from './config-file.ts';
import { kernelErrors, messageOf } from './errors.ts';
import { ownSchemas } from './own-validators.ts';
import { createSchemas, type JsonSchema, type Validator } from './schema.ts';

/** The schema of a plugin's settings; `properties` is what it says of each. */
export interface SliceSchema {
  readonly properties: object;
}

/** The settings that a schema describes: what has a default is always there. */
export type SliceValue<C extends SliceSchema> = Readonly<C extends { '~kind': string } ? Static<C> : Complete<C>>;
type Complete<C extends SliceSchema> = XStatic<C> & {
  [K in keyof C['properties'] as HasDefault<C['properties'][K], K>]: XStatic<C['properties'][K]>;
};
type HasDefault<P, K> = P extends { readonly default: unknown } ? K : never;

/** Whoever has settings of its own: a plugin, or what stands for one in a list. */
export interface Slice {
  readonly name: string;
  readonly config?: SliceSchema;
}

export interface PropertySchema extends JsonSchema {
  type?: string;
  default?: unknown;
  anyOf?: PropertySchema[];
  /** A path, or a list of them. */
  isPath?: boolean;
}

/** One schema of flat settings; `T` is what it describes. */
export interface SettingsSchema<T = unknown> extends JsonSchema {
  $id: string;
  properties: Record<string, PropertySchema>;
  readonly '~settings'?: T;
}

/** The kernel's settings, and flat beside them those of the plugins that are ours. */
export type Config<T = object> = Readonly<ServerConfig & Record<string, unknown> & T>;

/** The kernel's own settings. */
export const kernelSettings = ServerConfigSchema as unknown as SettingsSchema;

/** What a list of built-in plugins is set to, flat. */
export type SettingsOf<L extends readonly unknown[]> = ServerConfig & Intersection<SliceIn<L[number]>>;
type SliceIn<S> = S extends { config(): Promise<{ settings: infer C extends SliceSchema }> } ? SliceValue<C> : never;
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : unknown;

/** Merges the kernel's settings and those of `slices`. Two may share a setting, spelled the same; else both are named. */
export function composeSettings<T>($id: string, slices: readonly Slice[]): SettingsSchema<T> {
  const properties = { ...kernelSettings.properties };
  const owners = new Map(Object.keys(properties).map(option => [option, 'the kernel']));
  for (const { name, config } of slices) {
    for (const [option, property] of Object.entries(config?.properties ?? {})) {
      const known = owners.get(option);
      if (known !== undefined && !isDeepStrictEqual(properties[option], property)) {
        throw kernelErrors.SETTING_CONFLICT({ option, one: known, other: name });
      }
      owners.set(option, known ?? name);
      properties[option] = property;
    }
  }
  const description = String(kernelSettings.description);
  return { $id, type: 'object', description, additionalProperties: false, properties };
}

/** The settings of a list of built-in plugins: as the build composed them, from source by loading each `config.ts`. */
export async function settingsOf<T>(
  $id: string,
  list: readonly { name: string; config?(): Promise<{ settings: SliceSchema }> }[],
): Promise<SettingsSchema<T>> {
  const composed = ownSchemas[$id] as SettingsSchema<T> | undefined;
  if (composed) return composed;
  const slices = list.map(async ({ name, config }) =>
    config ? { name, config: (await config()).settings } : { name },
  );
  return composeSettings($id, await Promise.all(slices));
}

/** Environment variable of an option: `SVC_` and its name in capitals. */
export const environmentName = (option: string): string => `SVC_${option.toUpperCase()}`;

const compiled = new WeakMap<SettingsSchema, Validator>();

/** Merges the sources and validates; throws SVC_KERNEL_CONFIG_INVALID that names the option and the source. `path` is that of the file. */
export function resolveConfig<T = unknown>(
  options: object = {},
  env: Environment = {},
  file: object = {},
  schema: SettingsSchema<T> = kernelSettings as SettingsSchema<T>,
  path = 'config file',
): Config<T> {
  const validate = compiled.get(schema) ?? createSchemas().compileWithDefaults(schema);
  compiled.set(schema, validate);
  const environment = readEnvironment(env, schema);
  const sources: Record<string, { plugins?: ServerConfig['plugins'] }> = {
    [path]: located(file, path, schema),
    environment,
    options,
  };
  for (const [source, values] of Object.entries(sources)) refuse(source, validate({ ...values }), values, schema);
  const merged = Object.assign({}, ...Object.values(sources).map(withoutUndefined));
  merged.plugins = Object.values(sources).reduce<ServerConfig['plugins']>(
    (found, { plugins }) => mergeSections(found, plugins),
    {},
  );
  refuse('merged', validate(merged), merged, schema);
  return frozenCopy(merged) as Config<T>;
}

/** What a later source says of a plugin adds to an earlier one, unless either switches it off. */
function mergeSections(earlier: ServerConfig['plugins'], later: ServerConfig['plugins'] = {}): ServerConfig['plugins'] {
  const section = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
  const merged = Object.entries(later).map(([name, value]) => [
    name,
    value !== false && { ...section(earlier[name]), ...section(value) },
  ]);
  return { ...earlier, ...Object.fromEntries(merged) };
}

/** What a plugin is set to: its part of the flat settings, or its section where it is of another package. */
export function sliceOf(plugin: Slice, all: Config, section?: object): object {
  if (section) return resolveSection(plugin, section);
  const names = Object.keys(plugin.config?.properties ?? {});
  return Object.freeze(Object.fromEntries(names.map(each => [each, all[each]])));
}

/** A section with its defaults; SVC_KERNEL_CONFIG_INVALID names the plugin and the field. */
function resolveSection({ name, config }: Slice, section: object): object {
  const source = `plugin ${name}`;
  const given = structuredClone(section);
  let problems: Problem[] | undefined;
  try {
    const schema = { type: 'object', additionalProperties: false, ...config };
    problems = createSchemas().compileWithDefaults(schema)(given);
  } catch (error) {
    throw kernelErrors.CONFIG_INVALID({ source, reason: `its schema: ${messageOf(error)}`, plugin: name }, error);
  }
  if (!problems) return frozenCopy(given) as object;
  throw kernelErrors.CONFIG_INVALID({
    ...{ source, reason: accepted(problems), plugin: name, option: problems[0]?.field },
  });
}

/** The contents of a file, its relative paths made absolute: they start at its folder. */
function located(file: object, path: string, { properties }: SettingsSchema): object {
  const absolute = (value: unknown): unknown => (typeof value === 'string' ? resolve(dirname(path), value) : value);
  const entries = Object.entries(file).map(([option, value]) => {
    if (option.endsWith('plugins') && value) return [option, absolutePlugins(value, dirname(path))];
    if (properties[option]?.isPath !== true) return [option, value];
    return [option, Array.isArray(value) ? value.map(absolute) : absolute(value)];
  });
  return Object.fromEntries(entries);
}

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
    if (text.startsWith('[')) return parseJson(text);
    return text
      .split(option.endsWith('_paths') ? delimiter : ',')
      .map(each => each.trim())
      .filter(Boolean);
  }
  return types.includes('object') ? parseJson(text) : text;
}

function readEnvironment(env: Environment, schema: SettingsSchema): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const option of Object.keys(schema.properties)) {
    const text = env[environmentName(option)];
    // An empty one is how a shell or a service file says that there is none.
    if (text) found[option] = parseOption(option, text, schema);
  }
  return found;
}

function refuse(source: string, problems: Problem[] | undefined, values: object, { properties }: SettingsSchema): void {
  if (!problems) return;
  const unknown = problems.filter(each => each.message.endsWith('is not a known field')).map(each => each.field);
  const hints = unknown.map(each => nearest(each, Object.keys(properties))).filter(Boolean);
  const hint = hints.length > 0 ? ` (did you mean ${hints.join(', ')}?)` : '';
  const option = problems[0]?.field ?? '';
  const where = source === 'environment' && option in values ? `environment ${environmentName(option)}` : source;
  throw kernelErrors.CONFIG_INVALID({ source: where, reason: accepted(problems) + hint, option });
}

/** Problems as a sentence, what one field may be said once: of a choice ajv tells each part, and then the choice itself. */
function accepted(problems: readonly Problem[]): string {
  const fields = new Map<string, string[]>();
  for (const { field, message } of problems) {
    const known = fields.get(field) ?? [];
    if (!message.includes('must match a schema in anyOf')) fields.set(field, [...known, message]);
  }
  return [...fields.values()]
    .map(([first, ...more]) => [first, ...more.map(each => each.replace(/^".*?" must be /, ''))].join(' or '))
    .join('; ');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}

/** A copy, so that the caller's own objects stay as they are. */
function frozenCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  if (typeof value !== 'object' || value === null) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, frozenCopy(each)])));
}
