/** Reading a config file, apart from validating it, so that the host's main thread need not load a validator. */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { textOf } from '../schemas/file-text.ts';
import { kernelErrors, messageOf } from './errors.ts';

/** A pipe that nobody writes to, or a file server that is gone, must not hold a start for ever. */
const patienceMs = 10_000;

/** Reads a JSON or YAML config file; throws SVC_KERNEL_CONFIG_INVALID when it cannot be read or holds no object. */
export async function readConfigFile(path: string): Promise<object> {
  const patience = new AbortController();
  const late = sleep(patienceMs, undefined, { signal: patience.signal }).then(() => {
    throw new Error(`it cannot be read within ${patienceMs / 1000} s`);
  });
  try {
    const said = await Promise.race([textOf(path), late]);
    // A CommonJS package: in the bundle its dynamic import has a default export and no other.
    const found = /\.ya?ml$/.test(path) ? ((await import('yaml')).default.parse(said) ?? {}) : JSON.parse(said);
    if (typeof found !== 'object' || found === null || Array.isArray(found)) {
      throw new Error('the file must hold an object of options');
    }
    return found;
  } catch (error) {
    throw kernelErrors.CONFIG_INVALID({ source: path, reason: messageOf(error) }, error);
  } finally {
    late.catch(() => undefined);
    patience.abort();
  }
}

/** `plugins` with their relative paths made absolute. */
export const absolutePlugins = (plugins: object, folder: string): object =>
  Object.fromEntries(
    Object.entries(plugins).map(([name, value]) => [/^\.\.?[\\/]/.test(name) ? resolve(folder, name) : name, value]),
  );
