/** Addresses that mean the same listener. */
import { networkInterfaces } from 'node:os';
import { plainHost } from '../../schemas/address.ts';

const loopback = new Set(['localhost', '::1', '0.0.0.0', '::']);

/** One spelling for the ways to say "this machine" without a network. */
export function local(host: string): string {
  const name = plainHost(host);
  return loopback.has(name) ? '127.0.0.1' : name;
}

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
