/** Command-line flags made from the configuration schema: `max_sessions` is `--max-sessions`. */
import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import {
  absolutePlugins,
  type Config,
  environmentName,
  isSvcError,
  type PropertySchema,
  parseOption,
  readConfigFile,
  resolveConfig,
  type SettingsSchema,
} from '../kernel/index.ts';
import { cliErrors } from './errors.ts';

type Flag = Interfaces.FlagInput[string];

/** Flag of an option, without the dashes. */
export const flagName = (option: string): string => option.replaceAll('_', '-');

/** Values that an option admits, when they are few. */
export const choices = ({ enum: values }: PropertySchema): string[] =>
  Array.isArray(values) ? values.filter(each => typeof each === 'string') : [];

/** One flag per option of `names` (default: all). Values are checked against the schema, not by oclif. */
export function configFlags({ properties }: SettingsSchema, names = Object.keys(properties)): Interfaces.FlagInput {
  const own = names.filter(each => each !== 'plugins' && properties[each]?.isSecret !== true);
  return Object.fromEntries(own.map(name => [flagName(name), flagOf(name, properties[name] ?? {})]));
}

/** `--plugin <module>`, which stands for the option `plugins`. */
export const pluginFlag: Interfaces.FlagInput = {
  plugin: Flags.string({
    description: 'a plugin to add: a package or a path, with =JSON its settings (environment SVC_PLUGINS)',
    helpValue: '<module>[={json}]',
    multiple: true,
    multipleNonGreedy: true,
  }),
};

/** Names of options that a command has a flag of its own for, by the option. */
export type ShortNames = Readonly<Record<string, string>>;

/** As `configFlags`, those of `short` first and under that name; their long one is taken, too. */
export function shortFlags(schema: SettingsSchema, short: ShortNames, names: readonly string[]): Interfaces.FlagInput {
  const named = Object.entries(short).map(([option, name]): [string, Flag] => {
    const flag = flagOf(option, schema.properties[option] ?? {});
    return [name, { ...flag, aliases: [flagName(option), ...(flag.aliases ?? [])] }];
  });
  const others = configFlags(
    schema,
    names.filter(each => !Object.hasOwn(short, each)),
  );
  return { ...Object.fromEntries(named), ...others };
}

/** What was given by a short name, by the name of its option. */
export function longNames(given: Readonly<Record<string, unknown>>, short: ShortNames): Record<string, unknown> {
  const flags = { ...given };
  for (const [option, name] of Object.entries(short)) {
    delete flags[name];
    if (given[name] !== undefined) flags[flagName(option)] = given[name];
  }
  return flags;
}

/** What `--plugin` says, as the option `plugins`; a relative path is one from `folder`. */
function pluginSections(texts: readonly string[], folder: string): object {
  const sections = texts.map(text => {
    const [, name = text, json] = /^(.*?)=(\{.*)$/s.exec(text) ?? [];
    return [name, json === undefined ? true : jsonOf(json)];
  });
  return absolutePlugins(Object.fromEntries(sections), folder);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw cliErrors.FLAG_INVALID({ flag: '--plugin', reason: (error as Error).message }, error);
  }
}

function flagOf(option: string, property: PropertySchema): Flag {
  const shown = JSON.stringify(property.default);
  const description = `${String(property.description)} (default ${shown}; environment ${environmentName(option)})`;
  const shared = { description, helpGroup: 'SERVER' };
  if (property.type === 'boolean') return Flags.boolean({ ...shared, allowNo: true });
  if (property.type === 'array') {
    const aliases = [flagName(option).replace(/s$/, '')];
    return Flags.string({ ...shared, aliases, multiple: true, multipleNonGreedy: true, helpValue: '<text>' });
  }
  const options = choices(property);
  if (options.length > 0) return Flags.string({ ...shared, options });
  return Flags.string({ ...shared, helpValue: property.type === 'object' ? '<json>' : '<value>' });
}

/** What the flags of a command line say, as options. */
export function flagOptions(flags: Readonly<Record<string, unknown>>, schema: SettingsSchema): object {
  const given = Object.keys(schema.properties).flatMap(option => {
    const value = flags[flagName(option)];
    if (value === undefined) return [];
    return [[option, typeof value === 'string' ? parseOption(option, value, schema) : value]];
  });
  const plugins = Array.isArray(flags.plugin) ? { plugins: pluginSections(flags.plugin, process.cwd()) } : {};
  return { ...Object.fromEntries(given), ...plugins };
}

/**
 * The configuration of a command line: flags over environment over config file over `defaults`, which may depend on which
 * options were given. What has a name in `short` was typed, and is told, by that.
 */
export async function commandConfig<T>(
  typed: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  schema: SettingsSchema<T>,
  defaults: (given: (option: string) => boolean) => object = () => ({}),
  short: ShortNames = {},
): Promise<Config<T>> {
  const flags = longNames(typed, short);
  const path = typeof flags.config === 'string' ? flags.config : undefined;
  const file = path === undefined ? {} : await readConfigFile(path);
  const given = (option: string): boolean =>
    flags[flagName(option)] !== undefined || Boolean(env[environmentName(option)]) || option in file;
  for (const [option, name] of Object.entries(short)) {
    if (name === option || !(name in file) || !(name in schema.properties) || given(option)) continue;
    process.stderr.write(`warning: "${name}" in ${path} is that of a server and not used here: write "${option}"\n`);
  }
  try {
    return resolveConfig(flagOptions(flags, schema), env, { ...defaults(given), ...file }, schema, path);
  } catch (error) {
    if (!isSvcError(error) || error.details.source !== 'options') throw error;
    const option = String(error.details.option);
    const flag = `--${short[option] ?? flagName(option)}`;
    throw cliErrors.FLAG_INVALID({ flag, reason: error.details.reason }, error);
  }
}
