/** Host and Origin checks: what keeps a web page in the user's browser from driving a local server (DNS rebinding). */

import type { SvcError } from '../../kernel/index.ts';
import type { ServerConfig } from '../../schemas/server-config.ts';
import type { Settings } from './config.ts';
import { mcpErrors } from './errors.ts';

export type Guard = (host: string | undefined, origin: string | undefined) => SvcError | undefined;

type GuardConfig = Pick<ServerConfig, 'host'> & Pick<Settings, 'allowed_hosts' | 'allowed_origins'>;

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
const rememberedHosts = 64;

/**
 * Why a request is refused, or nothing. On a loopback bind Host and Origin must each be a loopback name (any port) or
 * allowed; elsewhere Host is checked when `allowed_hosts` names any, and an Origin must be the Host's own or allowed.
 */
export function createGuard({ host, allowed_hosts, allowed_origins }: GuardConfig): Guard {
  const loopback = isLoopback(host);
  const names = new Set([...loopbackNames, bracketed(host), ...allowed_hosts].map(each => each.toLowerCase()));
  const origins = new Set(allowed_origins.map(each => each.toLowerCase().replace(/\/$/, '')));
  const anyOrigin = origins.has('*');
  const checksHosts = loopback || allowed_hosts.length > 0;
  // Clients repeat the same few headers: a name that passed once costs one look-up.
  const passed = new Set<string>();

  const isKnown = (header: string): boolean => {
    const lower = header.toLowerCase();
    return names.has(lower) || names.has(withoutPort(lower));
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
    if (checksHosts && !(hostHeader !== undefined && acceptsHost(hostHeader))) {
      return mcpErrors.HOST_FORBIDDEN({ host: hostHeader ?? '' });
    }
    if (origin !== undefined && !acceptsOrigin(origin, hostHeader)) return mcpErrors.ORIGIN_FORBIDDEN({ origin });
    return undefined;
  };
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const withoutPort = (authority: string): string => authority.replace(/:\d*$/, '');
