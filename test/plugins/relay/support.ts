/** A relay, a server of many answers, and a tunnel between them, on real sockets. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolveConfig } from '../../../kernel/index.ts';
import { openRelay, openTunnel, relaySettings, type TunnelInput, tunnelSettings } from '../../../plugins/index.ts';
import { testEnv } from '../../environment.ts';

const quiet = { log_level: 'silent', shutdown_grace_ms: 200, heartbeat_secs: 1 } as const;

export async function startRelay(options: object) {
  const config = resolveConfig({ ...quiet, ...options }, testEnv, {}, await relaySettings());
  return openRelay({ config, env: testEnv });
}

export async function startTunnel(options: object, onState?: TunnelInput['onState']) {
  const config = resolveConfig({ ...quiet, ...options }, testEnv, {}, await tunnelSettings());
  return openTunnel({ config, env: testEnv, ...(onState && { onState }) });
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers as `answer` says; resolves with its origin. */
export async function serving(answer: Answer): Promise<{ server: Server; origin: string; close(): void }> {
  const server = createServer(answer);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
