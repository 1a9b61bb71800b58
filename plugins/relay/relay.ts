/** A relay: takes tunnels in, lists them, and passes requests through them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger, Validator } from '../../kernel/index.ts';
import type { TunnelAbout } from './api.ts';
import type { Settings } from './config.ts';
import { relayErrors } from './errors.ts';
import { pass, refuse } from './passing.ts';
import { createReception } from './reception.ts';
import { verifyToken } from './tokens.ts';
import type { Tunnel } from './tunnel.ts';
import { createTunnels } from './tunnels.ts';

export interface RelayParts {
  settings: Settings;
  problems: Validator;
  maxBodyBytes: number;
  /** Where the relay is reached; asked for each tunnel. */
  publicUrl(): string;
  added(tunnel: Tunnel): void;
  removed(tunnel: Tunnel): void;
  now(): number;
  log: Pick<Logger, 'info' | 'warn'>;
}

export interface Relay {
  /** A connection that asks to become another protocol. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  list(): TunnelAbout[];
  /** Passes a request on; `path` is that at the target, with the query. */
  pass(tunnel_id: string, path: string, request: IncomingMessage, response: ServerResponse): void;
  close(): void;
}

export function createRelay(parts: RelayParts): Relay {
  const { settings, problems, maxBodyBytes, publicUrl, added, removed, now, log } = parts;
  const tunnels = createTunnels({ most: settings.relay_max_tunnels, added, removed });
  const reception = createReception({
    ...{ problems, tunnels, publicUrl, now, log },
    verify: token => verifyToken(token, { keyFile: settings.relay_key_file, issuer: settings.relay_issuer, now }),
    heartbeatSecs: settings.heartbeat_secs,
  });
  return {
    upgrade: reception.upgrade,
    list: () => tunnels.list().map(each => each.about),
    pass(tunnel_id, path, request, response) {
      const tunnel = tunnels.get(tunnel_id);
      if (tunnel) pass({ tunnel, request, response, path, maxBodyBytes });
      else refuse(response, relayErrors.UNKNOWN_TUNNEL({ tunnel_id }));
    },
    close: reception.close,
  };
}
