/** Host and Origin checks: what keeps a web page in the user's browser from driving a local server (DNS rebinding). */
import { hostname } from 'node:os';
import type { SvcError } from '../../kernel/index.ts';
import { hostInUrl, isLoopback } from '../../schemas/address.ts';
import type { Settings } from './config.ts';
import { guardErrors } from './errors.ts';

export type NameCheck = (host: string | undefined, origin: string | undefined) => SvcError | undefined;

export interface NameCheckInput extends Pick<Settings, 'allowed_hosts' | 'allowed_origins'> {
  /** The addresses that are listened on. */
  hosts: readonly string[];
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
const rememberedHosts = 64;

/**
 * Why a request is refused, or nothing. On a loopback bind Host and Origin must each be a loopback name (any port) or
 * allowed. Beyond, an address in figures passes too, for it cannot be made to mean another machine, and the machine's own
 * name; an Origin must be the Host's own or allowed.
 */
export function createNameCheck({ hosts, allowed_hosts, allowed_origins }: NameCheckInput): NameCheck {
  const loopback = hosts.every(isLoopback);
  const own = loopback ? [] : [hostname(), `${hostname()}.local`];
  const names = new Set(
    [...loopbackNames, ...hosts.map(hostInUrl), ...own, ...allowed_hosts].map(each => each.toLowerCase()),
  );
  const origins = new Set(allowed_origins.map(each => each.toLowerCase().replace(/\/$/, '')));
  const [anyHost, anyOrigin] = [names.has('*'), origins.has('*')];
  // Clients repeat the same few headers: a name that passed once costs one look-up.
  const passed = new Set<string>();

  const isKnown = (header: string): boolean => {
    const lower = header.toLowerCase();
    const name = withoutPort(lower);
    return names.has(lower) || names.has(name) || (!loopback && isAddress(name));
  };

  const acceptsHost = (header: string): boolean => {
    if (passed.has(header)) return true;
    if (!isKnown(header)) return false;
    if (passed.size < rememberedHosts) passed.add(header);
    return true;
  };

  const acceptsOrigin = (origin: string, hostHeader: string | undefined): boolean => {
    if (anyOrigin || origins.has(origin.toLowerCase())) return true;
    const authority = /^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1]?.toLowerCase();
    if (authority === undefined) return false;
    return loopback ? isKnown(authority) : authority === hostHeader?.toLowerCase();
  };

  return (hostHeader, origin) => {
    if (!anyHost && !(hostHeader !== undefined && acceptsHost(hostHeader))) {
      return guardErrors.HOST_FORBIDDEN({ host: hostHeader ?? '' });
    }
    if (origin !== undefined && !acceptsOrigin(origin, hostHeader)) return guardErrors.ORIGIN_FORBIDDEN({ origin });
    return undefined;
  };
}

/** Node keeps the first of several; what stands before this server may have gone by the last. */
export function hasOneHost(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1;
}

const isAddress = (name: string): boolean => /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);

const withoutPort = (authority: string): string => authority.replace(/:\d*$/, '');
