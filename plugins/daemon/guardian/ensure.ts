/** Makes sure that the daemon answers: asks, else takes the launch lock and starts it, else waits for who does. */

import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../kernel/index.ts';
import { originOf } from '../../../schemas/address.ts';
import type { RegistryService } from '../../instances/registry/api.ts';
import type { DaemonCommand } from './daemon-command.ts';
import { takeLaunchLock } from './launch-lock.ts';
import { type Launched, launchDaemon } from './launcher.ts';
import { type GatewayAddress, isTaken, probeGateway } from './probe.ts';

export interface EnsureParts {
  address: GatewayAddress;
  registry: Pick<RegistryService, 'directory' | 'prepare'>;
  command(): DaemonCommand;
  staleMs: number;
  timeoutMs: number;
  signal: AbortSignal;
}

export type Ensured =
  | { state: 'running' }
  | { state: 'launched'; pid: number }
  | { state: 'unavailable'; reason: string };

const askMs = 600;
const stepMs = 150;

/** Never rejects, except when `signal` aborts. */
export async function ensureDaemon(parts: EnsureParts): Promise<Ensured> {
  try {
    return await ensure(parts);
  } catch (error) {
    parts.signal.throwIfAborted();
    return { state: 'unavailable', reason: `the gateway could not be launched: ${messageOf(error)}` };
  }
}

async function ensure(parts: EnsureParts): Promise<Ensured> {
  const { address, registry, signal } = parts;
  const deadline = Date.now() + parts.timeoutMs;
  let reason = 'another launcher holds the launch lock, and no gateway came up';
  do {
    signal.throwIfAborted();
    const found = await probeGateway(address, askMs, signal);
    if (found.state === 'healthy') return { state: 'running' };
    if (found.state === 'foreign') return foreign(address, found.detail);
    // A daemon under load may miss a probe: only a port that stays silent up to the deadline is given up.
    if (found.state === 'silent' && (await isTaken(address))) {
      reason = `${originOf(address)} is in use by something that does not answer GET /health (${found.detail}): stop it, or choose another gateway_port`;
    } else {
      await registry.prepare();
      const lock = await takeLaunchLock(registry.directory, parts.staleMs);
      if (lock) {
        try {
          return await launch(parts, deadline);
        } finally {
          await lock.release();
        }
      }
    }
    await sleep(stepMs, undefined, { signal, ref: false });
  } while (Date.now() < deadline);
  return { state: 'unavailable', reason };
}

/** With the lock held: another launcher may have been done just before. */
async function launch(parts: EnsureParts, deadline: number): Promise<Ensured> {
  const { address, signal } = parts;
  const { directory } = parts.registry;
  let launched: Launched | undefined;
  for (;;) {
    signal.throwIfAborted();
    const found = await probeGateway(address, askMs, signal);
    if (found.state === 'healthy') return launched ? { state: 'launched', pid: launched.pid } : { state: 'running' };
    if (found.state === 'foreign') return foreign(address, found.detail);
    launched ??= await launchDaemon({ address, directory, command: parts.command() });
    const ended = launched.ended();
    if (ended !== undefined) return afterEnd(address, ended, launched.stderr_log, signal);
    if (Date.now() >= deadline) {
      const reason = `the gateway (process ${launched.pid}) was launched but did not answer within ${parts.timeoutMs} ms: see ${launched.stderr_log}`;
      return { state: 'unavailable', reason };
    }
    await sleep(stepMs, undefined, { signal, ref: false });
  }
}

/** A daemon that found the port taken by another daemon ends at once, and all is well. */
async function afterEnd(address: GatewayAddress, ended: string, log: string, signal: AbortSignal): Promise<Ensured> {
  const found = await probeGateway(address, askMs, signal);
  if (found.state === 'healthy') return { state: 'running' };
  if (found.state === 'foreign') return foreign(address, found.detail);
  return { state: 'unavailable', reason: `the launched gateway ended with ${ended}: see ${log}` };
}

function foreign(address: GatewayAddress, detail: string): Ensured {
  const reason = `${originOf(address)} is not the gateway (${detail}): stop that service, or choose another gateway_port`;
  return { state: 'unavailable', reason };
}
