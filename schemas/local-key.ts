/** The key of a server for whoever is its user on its machine: made anew at each start, in a file that only this user may read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback } from './address.ts';

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

/** The same for an address: in figures, since what a name leads to somebody else may have taken. */
export function localAuthorizationFor(registryDirectory: string, url: URL): string | undefined {
  const { hostname, port, protocol } = url;
  if (hostname === 'localhost' || !isLoopback(hostname)) return undefined;
  return localAuthorization(registryDirectory, Number(port) || (protocol === 'https:' ? 443 : 80));
}
