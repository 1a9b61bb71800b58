/** This server at the gateway of another machine: registered, kept alive by heartbeats, taken back when it closes. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, messageOf } from '../../../kernel/index.ts';
import { hostInUrl, reachable } from '../../../schemas/address.ts';
import { remoteErrors } from './errors.ts';
import type { RemoteGateway } from './remote-gateway.ts';

/** What the gateway is told beside the address. */
export interface Said {
  readonly instance_id: string;
  readonly dcc_type: string;
  readonly adapter_version: string | null;
  readonly scene: string | null;
}

export interface RemoteRegistrationParts {
  gateway: RemoteGateway;
  said(): Said;
  /** Where gateways of other machines reach it; asked at each registration, for a machine may move. */
  address(): Promise<string>;
  ttlSecs: number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** After a failure, and its retries. */
const retryMs = 5000;
const goodbyeMs = 1000;
const hangUpMs = 1000;

export function createRemoteRegistration({ gateway, said, address, ttlSecs, log }: RemoteRegistrationParts) {
  const stop = new AbortController();
  const { signal } = stop;
  let registered = false;
  let told: string | undefined;
  let running: Promise<void> | undefined;
  let hurry = new AbortController();
  let heard = 0;

  const register = async () => {
    const mcp_url = await address();
    const { instance_id, dcc_type, adapter_version, scene } = said();
    const body = { instance_id, dcc_type, mcp_url, adapter_version, scene, ttl_secs: ttlSecs };
    const receipt = await gateway.post('register', body);
    registered = true;
    log.info({ mcp_url }, 'registered at the gateway of another machine');
    return receipt;
  };

  /** One registration or heartbeat; resolves with the time to the next. */
  const turn = async (): Promise<number> => {
    try {
      const { instance_id, scene } = said();
      const beaten = registered ? await gateway.post('heartbeat', { instance_id, scene }) : undefined;
      // It was restarted, or has heard nothing for too long.
      registered = beaten !== undefined;
      const receipt = beaten ?? (await register());
      told = undefined;
      return (receipt?.heartbeat_interval_secs ?? 1) * 1000;
    } catch (error) {
      const reason = messageOf(error);
      if (!signal.aborted && reason !== told) log.warn({ reason }, 'not registered at the gateway of another machine');
      told = reason;
      return retryMs;
    }
  };

  return {
    start(): void {
      const run = async (): Promise<void> => {
        while (!signal.aborted) {
          const ms = await turn();
          heard = performance.now();
          hurry = new AbortController();
          await pause(ms, undefined, { signal: AbortSignal.any([signal, hurry.signal]) }).catch(() => undefined);
        }
      };
      running ??= run();
    },
    /** The gateway has hung up: one that was restarted is told at once, and not at the next heartbeat. */
    lost(): void {
      // Who hangs up after each answer says nothing by it.
      if (registered && performance.now() - heard > hangUpMs) hurry.abort();
    },
    /** Takes the registration back; a gateway that does not answer at once finds out by itself. */
    async close(): Promise<void> {
      stop.abort();
      if (registered) {
        registered = false;
        const { instance_id } = said();
        const goodbye = gateway.post('deregister', { instance_id }, { insist: false }).catch(() => undefined);
        await Promise.race([goodbye, pause(goodbyeMs, undefined, { ref: false })]);
      }
      // What is under way ends with it.
      await gateway.close();
      await running;
    },
  };
}

/** The address from which this machine reaches the gateway: by it the gateway reaches this machine. */
export async function addressTowards(gateway: URL, host: string): Promise<string> {
  if (reachable(host) !== host) {
    const port = Number(gateway.port || (gateway.protocol === 'https:' ? 443 : 80));
    return hostInUrl(await localAddress(gateway.hostname.replace(/^\[|\]$/g, ''), port));
  }
  const near = /^(localhost|127\.|::1$)/;
  if (near.test(host) && !near.test(gateway.hostname)) throw remoteErrors.NOT_REACHABLE({ host });
  return hostInUrl(host);
}

function localAddress(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    socket.setTimeout(5000, () => socket.destroy(new Error('the gateway does not answer')));
    socket.once('error', reject);
    socket.once('connect', () => {
      const { localAddress: own } = socket;
      socket.destroy();
      if (own === undefined) reject(new Error('the gateway hung up'));
      else resolve(own.replace(/^::ffff:/, ''));
    });
  });
}
