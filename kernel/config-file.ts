/** Reading a config file, apart from validating it, so that the host's main thread need not load a validator. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { kernelErrors } from './errors.ts';

/**
 * Reads a JSON or YAML config file; throws SVC_KERNEL_CONFIG_INVALID when it cannot be read or parsed. A relative path
 * among `plugins` is one from the file's folder.
 */
export async function readConfigFile(path: string): Promise<object> {
  try {
    const text = await readFile(path, 'utf8');
    if (!/\.ya?ml$/.test(path)) return located(JSON.parse(text), path);
    // A CommonJS package: in the bundle its dynamic import has a default export and no other.
    const { default: yaml } = await import('yaml');
    return located(yaml.parse(text) ?? {}, path);
  } catch (error) {
    throw kernelErrors.CONFIG_INVALID({ source: path, reason: (error as Error).message }, error);
  }
}

function located(options: object, file: string): object {
  const { plugins } = (options ?? {}) as { plugins?: unknown };
  if (typeof plugins !== 'object' || plugins === null) return options;
  return { ...options, plugins: absolutePlugins(plugins, dirname(file)) };
}

/** `plugins` with their relative paths made absolute. */
export const absolutePlugins = (plugins: object, folder: string): object =>
  Object.fromEntries(
    Object.entries(plugins).map(([name, value]) => [/^\.\.?[\\/]/.test(name) ? resolve(folder, name) : name, value]),
  );
