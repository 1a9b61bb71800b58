/** Reading a config file, apart from validating it, so that the host's main thread need not load a validator. */
import { readFile } from 'node:fs/promises';
import type { ServerOptions } from '../schemas/server-config.ts';
import { kernelErrors } from './errors.ts';

/** Reads a JSON or YAML config file; throws SVC_KERNEL_CONFIG_INVALID when it cannot be read or parsed. */
export async function readConfigFile(path: string): Promise<ServerOptions> {
  try {
    const text = await readFile(path, 'utf8');
    if (!/\.ya?ml$/.test(path)) return JSON.parse(text) as ServerOptions;
    // A CommonJS package: in the bundle its dynamic import has a default export and no other.
    const { default: yaml } = await import('yaml');
    return (yaml.parse(text) ?? {}) as ServerOptions;
  } catch (error) {
    throw kernelErrors.CONFIG_INVALID({ source: path, reason: (error as Error).message }, error);
  }
}
