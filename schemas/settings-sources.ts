/** Settings from several sources, the later winning over the earlier, and what is said in a file as it is meant elsewhere. Pure. */
import { dirname, resolve } from 'node:path';
import { objectOf } from './loose.ts';
import type { ServerConfig } from './server-config.ts';
import type { SettingsSchema } from './settings-schema.ts';

type Sections = ServerConfig['plugins'];

/** The contents of a file, its relative paths made absolute: they start at its folder. */
export function located(file: object, path: string, { properties }: SettingsSchema): object {
  const absolute = (value: unknown): unknown => (typeof value === 'string' ? resolve(dirname(path), value) : value);
  const entries = Object.entries(file).map(([option, value]) => {
    if (option.endsWith('plugins') && value) return [option, absolutePlugins(value, dirname(path))];
    if (properties[option]?.isPath !== true) return [option, value];
    return [option, Array.isArray(value) ? value.map(absolute) : absolute(value)];
  });
  return Object.fromEntries(entries);
}

/** `plugins` with their relative paths made absolute. */
export const absolutePlugins = (plugins: object, folder: string): object =>
  Object.fromEntries(
    Object.entries(plugins).map(([name, value]) => [/^\.\.?[\\/]/.test(name) ? resolve(folder, name) : name, value]),
  );

/** One object of all; a value that is undefined says nothing, and the sections of the plugins are merged one by one. */
export function mergedSettings(sources: readonly { plugins?: Sections }[]): { plugins: Sections } {
  const said = sources.flatMap(each => Object.entries(each)).filter(([, value]) => value !== undefined);
  const plugins = sources.reduce<Sections>((found, each) => mergeSections(found, each.plugins), {});
  return { ...Object.fromEntries(said), plugins };
}

/** What a later source says of a plugin adds to an earlier one, unless either switches it off. */
function mergeSections(earlier: Sections, later: Sections = {}): Sections {
  const merged = Object.entries(later).map(([name, value]) => [
    name,
    value !== false && { ...objectOf(earlier[name]), ...objectOf(value) },
  ]);
  return { ...earlier, ...Object.fromEntries(merged) };
}

/** A copy that nobody can change, so that the caller's own objects stay as they are. */
export function frozenCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  if (typeof value !== 'object' || value === null) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, frozenCopy(each)])));
}
