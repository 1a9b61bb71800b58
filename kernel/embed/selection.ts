/** Which plugins a server consists of: the built-in list, switches by name, modules by specifier, in dependency order. */
import { dependencyOrder } from '../../schemas/dependency-order.ts';
import { isPlace, moduleUrl } from '../../schemas/module-url.ts';
import type { SliceSchema } from '../../schemas/settings-schema.ts';
import type { Config } from '../config.ts';
import type { Plugin } from '../plugin.ts';
import { serverErrors } from './errors.ts';

/** A built-in plugin that is loaded only where the server runs. */
export interface PluginSource {
  readonly name: string;
  /** Its `config.ts`, where it has settings: loaded from source alone, for the build merges them ahead. */
  config?(): Promise<{ settings: SliceSchema }>;
  load(): Promise<Plugin>;
}

type Switches = Config['plugins'];

export interface Choice {
  switches?: Switches;
  /** Plugin objects. */
  added?: readonly Plugin[];
  /** Folders from which a bare package name is resolved. */
  resolveFrom?: readonly string[];
}

/**
 * The built-in plugins that are not switched off and those of other packages, in order; of the latter the sections of
 * settings. Throws SVC_SERVER_PLUGIN_* naming the one at fault.
 */
export async function selectPlugins(
  sources: readonly PluginSource[],
  { switches = {}, added = [], resolveFrom = [] }: Choice = {},
): Promise<{ plugins: Plugin[]; sections: ReadonlyMap<Plugin, object> }> {
  const known = sources.map(each => each.name);
  const sectionOf = (name: string): object => (typeof switches[name] === 'object' ? switches[name] : {});
  const given = added.filter(each => switches[each.name] !== false);
  const sections = new Map(given.map(each => [each, sectionOf(each.name)]));
  for (const [name, value] of Object.entries(switches)) {
    if (added.some(each => each.name === name)) continue;
    if (known.includes(name)) {
      if (typeof value === 'object') throw serverErrors.PLUGIN_BUILT_IN({ plugin: name });
    } else if (value !== false) {
      sections.set(await loadModule(name, resolveFrom, known), sectionOf(name));
    } else if (!isPlace(name)) throw unknown(name, known);
  }
  const enabled = sources.filter(each => switches[each.name] !== false);
  const plugins = orderPlugins([...(await Promise.all(enabled.map(each => each.load()))), ...sections.keys()]);
  return { plugins, sections };
}

/** Stable order in which every plugin stands after its dependencies, and after what it uses when it is there. */
export function orderPlugins(plugins: readonly Plugin[]): Plugin[] {
  const byName = new Map<string, Plugin>();
  for (const plugin of plugins) {
    if (byName.has(plugin.name)) throw serverErrors.PLUGIN_DUPLICATE({ plugin: plugin.name });
    byName.set(plugin.name, plugin);
  }
  const needsOf = (name: string): string[] => {
    const { dependencies = [], optional = [] } = byName.get(name) ?? {};
    const needed = dependencies.find(each => !byName.has(each));
    if (needed !== undefined) throw serverErrors.PLUGIN_NEEDED({ plugin: name, needed });
    return [...dependencies, ...optional.filter(each => byName.has(each))];
  };
  const names = dependencyOrder(byName.keys(), needsOf, cycle => serverErrors.PLUGIN_CYCLE({ cycle }));
  return names.flatMap(name => byName.get(name) ?? []);
}

async function loadModule(specifier: string, resolveFrom: readonly string[], known: string[]): Promise<Plugin> {
  if (specifier.startsWith('.')) {
    const reason = 'a relative path has no base: make it absolute';
    throw serverErrors.PLUGIN_UNLOADABLE({ plugin: specifier, reason });
  }
  const url = moduleUrl(specifier, resolveFrom);
  let exports: Record<string, unknown>;
  try {
    exports = (await import(/* @vite-ignore */ url)) as Record<string, unknown>;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' && url === specifier;
    if (missing) throw unknown(specifier, known, error);
    throw serverErrors.PLUGIN_UNLOADABLE({ plugin: specifier, reason: (error as Error).message }, error);
  }
  const plugin = [exports.default, exports.plugin].find(isPlugin);
  if (!plugin) throw serverErrors.PLUGIN_INVALID({ plugin: specifier });
  return plugin;
}

const unknown = (plugin: string, known: readonly string[], cause?: unknown) =>
  serverErrors.PLUGIN_UNKNOWN({ plugin, known: known.join(', ') }, cause);

function isPlugin(value: unknown): value is Plugin {
  if (typeof value !== 'object' || value === null) return false;
  const { name, dependencies, register } = value as Partial<Plugin>;
  return typeof name === 'string' && Array.isArray(dependencies) && typeof register === 'function';
}
