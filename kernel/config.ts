/**
 * Configuration: the slices of the plugins merged to one schema; schema defaults <- file <- environment <- options,
 * validated as a whole, then frozen. A plugin of another package has a section under its own name instead. What of this
 * is about schemas and texts alone stands in `schemas/`: settings-schema, option-text, settings-sources, settings-refusal.
 */
import { optionsIn } from '../schemas/option-text.ts';
import type { Problem } from '../schemas/problems.ts';
import { type ServerConfig, ServerConfigSchema } from '../schemas/server-config.ts';
import { onceEach, refusalOf } from '../schemas/settings-refusal.ts';
import {
  mergedProperties,
  type SettingsSchema,
  type Slice,
  type SliceSchema,
  type SliceValue,
} from '../schemas/settings-schema.ts';
import { frozenCopy, located, mergedSettings } from '../schemas/settings-sources.ts';
import { messageOf } from '../schemas/thrown.ts';
import type { Environment } from '../schemas/variables.ts';
import { kernelErrors } from './errors.ts';
import { ownSchemas } from './own-validators.ts';
import { createSchemas, type Validator } from './schema.ts';

/** The kernel's settings, and flat beside them those of the plugins that are ours. */
export type Config<T = object> = Readonly<ServerConfig & Record<string, unknown> & T>;

/** The kernel's own settings. */
export const kernelSettings = ServerConfigSchema as unknown as SettingsSchema;

/** What a list of built-in plugins is set to, flat. */
export type SettingsOf<L extends readonly unknown[]> = ServerConfig & Intersection<SliceIn<L[number]>>;
type SliceIn<S> = S extends { config(): Promise<{ settings: infer C extends SliceSchema }> } ? SliceValue<C> : never;
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : unknown;

/** Merges the kernel's settings and those of `slices`; throws SVC_KERNEL_SETTING_CONFLICT that names the two at odds. */
export function composeSettings<T>($id: string, slices: readonly Slice[]): SettingsSchema<T> {
  const properties = mergedProperties(kernelSettings.properties, slices, kernelErrors.SETTING_CONFLICT);
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
  const check = (source: string, values: object, value: object): void => {
    const problems = validate(value);
    if (problems) throw kernelErrors.CONFIG_INVALID(refusalOf(problems, source, values, schema));
  };
  const sources = { [path]: located(file, path, schema), environment: optionsIn(env, schema), options };
  // Validating fills in defaults, which would win over what an earlier source says.
  for (const [source, values] of Object.entries(sources)) check(source, values, { ...values });
  const merged = mergedSettings(Object.values(sources));
  check('merged', merged, merged);
  return frozenCopy(merged) as Config<T>;
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
    ...{ source, reason: onceEach(problems), plugin: name, option: problems[0]?.field },
  });
}
