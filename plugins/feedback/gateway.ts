/** The gateway that reports go to: where it is, and what lets them in there. */
import { originOf } from '../../schemas/address.ts';
import { localAuthorizationFor } from '../../schemas/local-key.ts';
import { ownToken } from '../../schemas/own-token.ts';
import type { Settings } from './config.ts';
import { feedbackErrors } from './errors.ts';
import type { Provided } from './wire.ts';

export interface Gateway {
  /** Without a slash at its end. */
  url: string;
  /** What lets a report in, as it is now; rejects when that cannot be read. */
  authorization(): Promise<string | undefined>;
}

/** Where the host says that it is. */
export interface GatewayAddress {
  gateway_endpoint?: string;
  gateway_host?: string;
  gateway_port?: number;
}

export interface GatewayDeps {
  config: Omit<Settings, 'feedback_tool' | 'log_dir'>;
  /** The registry, in which a gateway of this user has left its key. */
  directory: string;
  /** What the host gives, if it gives any. */
  token(): Promise<Provided<unknown> | undefined>;
}

/** Nothing for a gateway that is switched off; throws SVC_FEEDBACK_OPTIONS. */
export function gatewayOf(given: GatewayAddress, { config, directory, token }: GatewayDeps): Gateway | undefined {
  const remote = config.remote_gateway_url === null ? undefined : baseOf(config.remote_gateway_url);
  const url =
    given.gateway_endpoint === undefined ? localOr(given, config, remote) : endpointOf(given.gateway_endpoint);
  if (url === undefined) return undefined;
  const known = url === remote;
  return {
    url,
    async authorization() {
      const told = await token();
      if (told && 'problem' in told) throw new Error(told.problem);
      const fromHost = told?.value ?? undefined;
      if (fromHost !== undefined && !isToken(fromHost)) throw new Error('what the host gave is no token');
      const own = known ? await ownToken(config.remote_gateway_token_file, config.remote_gateway_token) : undefined;
      const bearer = fromHost ?? own;
      return bearer === undefined ? localAuthorizationFor(directory, new URL(url)) : `Bearer ${bearer}`;
    },
  };
}

const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);

/** Of this machine; where that is switched off, the one of another at which this server registers. */
function localOr(given: GatewayAddress, config: GatewayDeps['config'], remote: string | undefined): string | undefined {
  const { gateway_host: host = config.gateway_host, gateway_port: port = config.gateway_port } = given;
  if (port !== 0) return originOf({ host, port });
  return given.gateway_port === 0 ? undefined : remote;
}

function endpointOf(gateway_endpoint: string): string {
  const url = URL.canParse(gateway_endpoint) ? new URL(gateway_endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw feedbackErrors.OPTIONS({ reason: '"gateway_endpoint" must be an http(s) URL without credentials' });
  }
  return url.origin;
}

/** Below which its routes stand: a proxy may have it under a path. One that is no address is refused by who registers there. */
function baseOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
