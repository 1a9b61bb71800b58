/** Binding the listener: addresses as people write them, failures as errors of the table, and a probe of the result. */
import { get } from 'node:http';
import { type AddressInfo, connect, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { serverErrors } from './server-errors.ts';

export interface Bound {
  port: number;
  bind_addr: string;
  /** `http://host:port` that reaches the listener from this machine. */
  origin: string;
}

/** Listens as configured; rejects with SVC_SERVER_* naming the address. */
export async function listen(app: FastifyInstance): Promise<Bound> {
  const { host, port } = app.kernel.config;
  try {
    // Exclusive: in a cluster too, the port is this process's alone.
    await app.listen({ host, port, exclusive: true, listenTextResolver: address => `listening on ${address}` });
  } catch (error) {
    throw listenError(error, host, port);
  }
  const bound = (app.server.address() as AddressInfo).port;
  return { port: bound, bind_addr: joined(host, bound), origin: `http://${joined(reachable(host), bound)}` };
}

/** Asks the fresh listener once, waiting at most `self_probe_timeout_ms`; a failure is a warning in the log. */
export async function selfProbe(app: FastifyInstance, { port }: Bound): Promise<void> {
  const { host, self_probe_timeout_ms: timeout } = app.kernel.config;
  if (timeout === 0) return;
  const problem = app.hasRoute({ method: 'GET', url: '/v1/healthz' })
    ? await probeHttp(reachable(host), port, timeout)
    : await probeTcp(reachable(host), port, timeout);
  if (problem) app.kernel.log.warn({ host, port, problem }, 'the fresh listener did not answer its own probe');
}

/** An address as it stands in a URL. */
export const joined = (host: string, port: number): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`;

/** A wildcard address is none to connect to: the loopback of its family stands for it. */
const reachable = (host: string): string => ({ '0.0.0.0': '127.0.0.1', '::': '::1' })[host] ?? host;

/** Why an address cannot be listened on, in terms of the table. */
export function listenError(error: unknown, host: string, port: number): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const address = joined(host, port);
  if (code === 'EADDRINUSE') return serverErrors.PORT_IN_USE({ address, host, port }, error);
  if (code === 'EACCES') return serverErrors.LISTEN_FORBIDDEN({ address, host, port }, error);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return serverErrors.ADDRESS_UNAVAILABLE({ host }, error);
  }
  return serverErrors.LISTEN_FAILED({ address, reason: message }, error);
}

function probeHttp(host: string, port: number, timeout: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const request = get({ host, port, path: '/v1/healthz', agent: false, timeout }, response => {
      response.resume();
      resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`);
    });
    giveUpAfter(timeout, request, resolve);
    request.once('error', error => resolve(error.message));
  });
}

function probeTcp(host: string, port: number, timeout: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = connect({ host, port }, () => {
      socket.destroy();
      resolve(undefined);
    });
    giveUpAfter(timeout, socket, resolve);
    socket.once('error', error => resolve(error.message));
  });
}

function giveUpAfter(
  timeout: number,
  attempt: { destroy(): unknown; once(event: 'close', listener: () => void): unknown },
  resolve: (problem: string) => void,
): void {
  const timer = setTimeout(() => {
    resolve(`no answer within ${timeout} ms`);
    attempt.destroy();
  }, timeout);
  attempt.once('close', () => clearTimeout(timer));
}
