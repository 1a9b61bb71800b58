/** A file of settings that a person named: JSON, or YAML by its ending. */
import { setTimeout as sleep } from 'node:timers/promises';
import { textOf } from './file-text.ts';

/** A pipe that nobody writes to, or a file server that is gone, must not hold a start for ever. */
const patienceMs = 10_000;

/** Its options; rejects when it cannot be read or holds no object. */
export async function settingsIn(path: string): Promise<object> {
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
  } finally {
    late.catch(() => undefined);
    patience.abort();
  }
}
