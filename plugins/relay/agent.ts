/** A tunnel: dials out to its relay, serves what comes through, and dials again when the connection is lost. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { WebSocket } from 'ws';
import { type Logger, messageOf, type SvcError } from '../../kernel/index.ts';
import { objectOf, parsed, text } from '../../schemas/loose.ts';
import {
  type RegisterAck,
  type RegisterTunnel,
  type TunnelRefusal,
  tunnelDoor,
  tunnelRefusals,
} from '../../schemas/tunnel.ts';
import type { TunnelState } from './api.ts';
import { relayErrors } from './errors.ts';
import { serveChannels } from './splice.ts';
import { frameBytes, watchOver } from './wire.ts';

export type Accepted = Extract<RegisterAck, { ok: true }>;

export interface AgentParts {
  relay: URL;
  target: URL;
  /** Asked at each connection. */
  token(): Promise<string>;
  /** What it says of itself; asked at each connection. */
  register(): Promise<RegisterTunnel>;
  heartbeatSecs: number;
  /** Told of each change. */
  onState(state: TunnelState): void;
  log: Pick<Logger, 'info' | 'warn'>;
}

const connectMs = 10_000;
const [firstPauseMs, longestPauseMs] = [500, 30_000];
/** Refusals that time may end; of the others somebody has to know. */
const passing: readonly TunnelRefusal[] = ['TooManyTunnels', 'Internal'];

interface Connection {
  readonly accepted: Accepted;
  /** Resolves with why it ended, and whether another tunnel has its place. */
  readonly ended: Promise<{ reason: string; replaced: boolean }>;
}

export function createAgent(parts: AgentParts) {
  const { relay, target, token, register, heartbeatSecs, onState, log } = parts;
  const stop = new AbortController();
  let current: WebSocket | undefined;
  let opened: Accepted | undefined;
  let standing: TunnelState['state'] | undefined;
  let since = Date.now();
  const stand = (state: TunnelState['state'], reason?: string): void => {
    if (state !== standing) since = Date.now();
    standing = state;
    onState({ state, since, ...(reason !== undefined && { reason }), ...(opened && { opened }) });
  };

  const connect = async (): Promise<Connection> => {
    const [bearer, said] = [await token(), await register()];
    stop.signal.throwIfAborted();
    const url = new URL(relay);
    url.protocol = relay.protocol === 'https:' || relay.protocol === 'wss:' ? 'wss:' : 'ws:';
    url.pathname = relay.pathname.replace(/\/$/, '') + tunnelDoor;
    const headers = { authorization: `Bearer ${bearer}` };
    const socket = new WebSocket(url, {
      ...{ headers, perMessageDeflate: false, maxPayload: frameBytes, handshakeTimeout: connectMs },
    });
    current = socket;
    return new Promise<Connection>((resolve, reject) => {
      const failed = (reason: string): void => {
        socket.terminate();
        reject(relayErrors.UNREACHABLE({ relay: relay.origin, reason }));
      };
      const late = setTimeout(() => failed('it does not answer'), connectMs);
      socket.on('error', error => failed(messageOf(error)));
      socket.once('unexpected-response', (_request, response: IncomingMessage) => {
        const { statusCode: status } = response;
        if (status === 404) return failed('what answers there is no relay (404)');
        if (status !== 401) return failed(`it answers ${status}`);
        reject(refusal('AuthFailed', 'its token is good for nothing there'));
        socket.terminate();
      });
      const ended: Connection['ended'] = new Promise(end => {
        socket.once('close', (code, reason) => {
          clearTimeout(late);
          const why = reason.toString() || `its connection closed (${code})`;
          failed(why);
          end({ reason: why, replaced: code === tunnelRefusals.Replaced });
        });
      });
      socket.once('open', () => socket.send(JSON.stringify(said)));
      socket.once('message', data => {
        clearTimeout(late);
        const ack = acknowledged(data.toString());
        if (!ack?.ok) {
          if (ack) reject(refusal(ack.error_code, ack.message));
          else failed('what answers there is no relay');
          socket.close();
          return;
        }
        // At once: the next message is a frame already.
        serveChannels(socket, target);
        watchOver(socket, heartbeatSecs);
        followTarget(socket, said);
        resolve({ accepted: ack, ended });
      });
    });
  };

  /**
   * A server that was restarted is another instance: the tunnel connects anew, as what it leads to now. One that has
   * another scene open says so.
   */
  const followTarget = (socket: WebSocket, first: RegisterTunnel): void => {
    if (heartbeatSecs === 0) return;
    let said = first;
    const timer = setInterval(async () => {
      const now = await register().catch(() => said);
      if (now.instance_id !== said.instance_id || now.dcc !== said.dcc)
        socket.close(1000, 'its server is another one now');
      else if (!isDeepStrictEqual(now, said)) socket.send(JSON.stringify(now));
      said = now;
    }, heartbeatSecs * 1000).unref();
    socket.once('close', () => clearInterval(timer));
  };

  /** Tries until it is connected; rejects when it is stopped, or the relay's refusal is `final`. */
  const persist = async (final: (error: SvcError) => boolean): Promise<Connection> => {
    for (;;) {
      try {
        const connection = await connect();
        opened = connection.accepted;
        stand('connected');
        return connection;
      } catch (error) {
        if (stop.signal.aborted || final(error as SvcError)) throw error;
        stand('unavailable', messageOf(error));
        log.warn({ reason: messageOf(error) }, 'the tunnel is not connected');
      }
      await rest();
    }
  };

  let pauseMs = firstPauseMs;
  const rest = async (): Promise<void> => {
    // Not all tunnels of a relay at once.
    await pause(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: stop.signal });
    // In half the time that it was away again: a relay that was restarted is found soon after.
    pauseMs = Math.min(longestPauseMs, pauseMs * 1.5);
  };

  const stay = async (first: Connection): Promise<void> => {
    for (let connection = first; ; ) {
      const connectedAt = performance.now();
      const { reason, replaced } = await connection.ended;
      if (stop.signal.aborted) return;
      log.warn({ reason }, 'the tunnel has lost its relay');
      // One that is taken and dropped at once is no reason to hurry.
      if (performance.now() - connectedAt > pauseMs) pauseMs = firstPauseMs;
      if (replaced) pauseMs = longestPauseMs;
      stand('unavailable', reason);
      await rest();
      connection = await persist(() => false);
      log.info({ tunnel_id: connection.accepted.tunnel_id }, 'the tunnel is connected again');
    }
  };

  return {
    /** Resolves when it is connected; rejects when the relay refuses it. A relay that is not there yet is waited for. */
    async open(): Promise<Accepted> {
      stand('connecting');
      const first = await persist(({ code, details }) => {
        return code !== 'SVC_RELAY_UNREACHABLE' && !passing.includes(details?.error_code as TunnelRefusal);
      });
      // Ends by being stopped, and in no other way.
      void stay(first).catch(() => undefined);
      return first.accepted;
    },
    close(): void {
      stop.abort();
      current?.terminate();
    },
  };
}

const refusal = (error_code: TunnelRefusal, reason: string) => relayErrors.REFUSED({ error_code, reason });

function acknowledged(message: string): RegisterAck | undefined {
  const { ok, tunnel_id, public_url, error_code, message: said } = objectOf(parsed(message));
  if (ok === true) {
    const [id, url] = [text(tunnel_id), text(public_url)];
    return id !== undefined && url !== undefined ? { ok, tunnel_id: id, public_url: url } : undefined;
  }
  if (ok !== false) return undefined;
  return { ok, error_code: String(error_code) as TunnelRefusal, message: String(said) };
}
