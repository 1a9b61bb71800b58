/**
 * The legacy election: the first server that binds the gateway port serves the gateway in its own process. The bind
 * decides, so two can never win. Who lost keeps asking, and takes over when nobody answers any more.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isSvcError, messageOf } from '../../../kernel/index.ts';
import type { EmbeddedGateway } from './api.ts';
import type { ProbeResult } from './probe.ts';

export interface ElectionParts {
  probe(signal: AbortSignal): Promise<ProbeResult>;
  /** Binds the port and serves; rejects with SVC_SERVER_PORT_IN_USE when another has it. */
  open(): Promise<EmbeddedGateway>;
  /** Asks a healthy gateway of an older version to give way; true when it does. */
  challenge(signal: AbortSignal): Promise<boolean>;
  intervalMs: number;
  failures: number;
  onChange(state: ElectionState): void;
}

export type ElectionState =
  | { role: 'gateway' }
  | { role: 'plain' }
  /** Neither this server nor another is the gateway. */
  | { role: 'none'; reason: string };

export interface Election {
  /** Resolves when the first attempt is decided. */
  readonly decided: Promise<void>;
  close(): Promise<void>;
}

/** How soon a gateway that gives way is looked after. */
const handoverMs = 250;

export function startElection(parts: ElectionParts): Election {
  const { probe, open, challenge, intervalMs, failures, onChange } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let gateway: EmbeddedGateway | undefined;
  let decide: () => void = () => undefined;
  const decided = new Promise<void>(resolve => {
    decide = resolve;
  });

  /** Serves until the gateway ends by itself; false when the port was taken after all. */
  const serve = async (): Promise<boolean> => {
    try {
      gateway = await open();
    } catch (error) {
      if (!isSvcError(error) || error.code !== 'SVC_SERVER_PORT_IN_USE') throw error;
      return false;
    }
    onChange({ role: 'gateway' });
    decide();
    await Promise.race([gateway.ended, aborted(signal)]);
    const ended = gateway;
    gateway = undefined;
    // It gave way: from here on it is a plain server, until it finds the port free again.
    if (!signal.aborted) onChange({ role: 'plain' });
    await ended.close();
    return true;
  };

  const run = async (): Promise<void> => {
    let failed = 0;
    let challenged = false;
    for (;;) {
      let waitMs = intervalMs;
      const found = await probe(signal);
      signal.throwIfAborted();
      if (found.state === 'healthy') {
        failed = 0;
        onChange({ role: 'plain' });
        decide();
        if (!challenged) {
          challenged = true;
          if (await challenge(signal)) waitMs = handoverMs;
        }
      } else {
        failed += 1;
        if (found.state === 'refused' || failed >= failures) {
          const served = await serve().catch((error: unknown) => {
            onChange({ role: 'none', reason: messageOf(error) });
            return true;
          });
          if (!served) onChange({ role: 'none', reason: taken(found) });
        }
        decide();
      }
      await sleep(waitMs, undefined, { signal, ref: false });
    }
  };

  const done = run()
    .catch((error: unknown) => {
      if (!signal.aborted) onChange({ role: 'none', reason: messageOf(error) });
    })
    .finally(decide);
  return {
    decided,
    async close() {
      stopping.abort();
      await done;
    },
  };
}

function taken(found: ProbeResult): string {
  const detail = 'detail' in found ? found.detail : 'another process was faster';
  return `the gateway port is in use by something that is not the gateway (${detail})`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
