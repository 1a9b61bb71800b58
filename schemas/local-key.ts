/** The key of a server for whoever is its user on its machine: made anew at each start, in a file that only this user may read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const keyFile = (registryDirectory: string, port: number): string =>
  join(registryDirectory, 'keys', `${port}.key`);

/** The `Authorization` for the server on a port of this machine; undefined where it has left no key. */
export function localAuthorization(registryDirectory: string, port: number): string | undefined {
  try {
    const key = readFileSync(keyFile(registryDirectory, port), 'utf8').trim();
    return /^[\w-]{32,200}$/.test(key) ? `Bearer ${key}` : undefined;
  } catch {
    return undefined;
  }
}
