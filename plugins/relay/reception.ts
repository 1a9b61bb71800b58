/** Where tunnels come in: the token is looked at before there is a connection, then one message says whose tunnel it is. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Logger, messageOf, type Validator } from '../../kernel/index.ts';
import { parsed } from '../../schemas/loose.ts';
import { timerAt } from '../../schemas/timer-at.ts';
import {
  type RegisterAck,
  type RegisterTunnel,
  type TunnelRefusal,
  tunnelDoor,
  tunnelProtocol,
  tunnelRefusals,
} from '../../schemas/tunnel.ts';
import type { Grant } from './tokens.ts';
import { openTunnel } from './tunnel.ts';
import { type Tunnels, tunnelId } from './tunnels.ts';
import { frameBytes, watchOver } from './wire.ts';

export interface ReceptionParts {
  verify(token: string): Promise<Grant>;
  /** What is wrong with a first message. */
  problems: Validator;
  tunnels: Tunnels;
  publicUrl(): string;
  heartbeatSecs: number;
  now(): number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Whoever is let in says within this time what it is. */
const registerMs = 5000;

export function createReception(parts: ReceptionParts) {
  const { verify, problems, tunnels, publicUrl, heartbeatSecs, now, log } = parts;
  const grants = new WeakMap<IncomingMessage, Grant>();
  const waiting = new Set<WebSocket>();
  const server = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: frameBytes, path: tunnelDoor },
    verifyClient({ req }: { req: IncomingMessage }, decide) {
      const { authorization = '', origin } = req.headers;
      const from = req.socket.remoteAddress;
      // No web page opens a tunnel.
      if (origin !== undefined) {
        log.warn({ from, origin }, 'a tunnel is refused: it comes from a web page');
        decide(false, 403, 'Tunnels do not come from web pages');
        return;
      }
      const [, token = ''] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
      verify(token).then(
        grant => {
          grants.set(req, grant);
          decide(true);
        },
        (error: Error) => {
          log.warn({ from, reason: messageOf(error) }, 'a tunnel is refused: AuthFailed');
          const body = `AuthFailed: a valid token is needed, "Authorization: Bearer <token>"`;
          decide(false, 401, body, { 'WWW-Authenticate': 'Bearer' });
        },
      );
    },
  });

  const refuse = (socket: WebSocket, subject: string, error_code: TunnelRefusal, message: string): void => {
    log.warn({ subject, error_code, reason: message }, 'a tunnel is refused');
    const ack: RegisterAck = { ok: false, error_code, message };
    socket.send(JSON.stringify(ack));
    socket.close(tunnelRefusals[error_code], error_code);
  };

  const register = (socket: WebSocket, grant: Grant, text: string): void => {
    const { subject } = grant;
    const message = parsed(text) as RegisterTunnel;
    const wrong = problems(message);
    if (wrong) {
      refuse(socket, subject, 'BadRegistration', wrong.map(each => each.message).join('; '));
      return;
    }
    const { protocol_version, ...said } = message;
    if (protocol_version !== tunnelProtocol) {
      const reason = `The relay speaks revision ${tunnelProtocol}, the tunnel ${protocol_version}`;
      refuse(socket, subject, 'ProtocolMismatch', reason);
      return;
    }
    const refusal = tunnels.refusal(message, grant);
    if (refusal) {
      refuse(socket, subject, refusal.error_code, refusal.message);
      return;
    }
    const tunnel_id = tunnelId(subject, said.instance_id ?? randomUUID());
    const about = { ...said, tunnel_id, public_url: `${publicUrl()}/tunnel/${tunnel_id}`, connected_at: now() / 1000 };
    const ack: RegisterAck = { ok: true, tunnel_id, public_url: about.public_url };
    socket.send(JSON.stringify(ack));
    let forget: (() => void) | undefined;
    const tunnel = openTunnel({
      ...{ socket, about, subject },
      said(news) {
        const now = parsed(news) as RegisterTunnel;
        if (problems(now) || now.dcc !== said.dcc || now.instance_id !== said.instance_id) return false;
        const { scene, adapter_version, capabilities_fingerprint } = now;
        Object.assign(about, { scene, adapter_version, capabilities_fingerprint });
        return true;
      },
      ended(reason) {
        forget?.();
        tunnels.drop(tunnel);
        log.info({ tunnel_id, subject, reason }, 'a tunnel has ended');
      },
    });
    const expire = () => tunnel.end('AuthFailed', 'its token has expired');
    forget = timerAt(grant.expires, now, expire);
    watchOver(socket, heartbeatSecs);
    tunnels.add(tunnel);
    log.info({ tunnel_id, subject, dcc: said.dcc, instance_id: said.instance_id }, 'a tunnel is open');
  };

  const receive = (socket: WebSocket, request: IncomingMessage): void => {
    const grant = grants.get(request) as Grant;
    waiting.add(socket);
    const late = setTimeout(
      () => refuse(socket, grant.subject, 'BadRegistration', 'It did not say what it is'),
      registerMs,
    );
    socket.on('error', error => log.warn({ subject: grant.subject, reason: error.message }, 'a tunnel has failed'));
    socket.once('close', () => {
      clearTimeout(late);
      waiting.delete(socket);
    });
    socket.once('message', data => {
      clearTimeout(late);
      waiting.delete(socket);
      register(socket, grant, data.toString());
    });
  };

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      server.handleUpgrade(request, socket, head, receive);
    },
    close(): void {
      for (const socket of waiting) socket.terminate();
      for (const tunnel of tunnels.list()) tunnel.end('Internal', 'the relay is shutting down');
      server.close();
    },
  };
}
