/** Addresses that mean the same listener. */
import { networkInterfaces } from 'node:os';

const loopback = new Set(['localhost', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1']);

/** One spelling for the ways to say "this machine" without a network. */
export const local = (host: string): string => (loopback.has(host.toLowerCase()) ? '127.0.0.1' : host.toLowerCase());

/** Whether a host name or address is one of this machine's own; names other than localhost are not looked up. */
export function isThisMachine(host: string): boolean {
  const name = local(host);
  if (/^127(\.\d+){3}$/.test(name)) return true;
  return Object.values(networkInterfaces()).some(each => each?.some(({ address }) => address.toLowerCase() === name));
}

/** Whether two addresses lead to one listener of this machine, or are the same. */
export function sameListener(a: { host: string; port: number }, b: { host: string; port: number }): boolean {
  if (a.port !== b.port) return false;
  return local(a.host) === local(b.host) || (isThisMachine(a.host) && isThisMachine(b.host));
}
