/**
 * Makes sure that the daemon answers, and that it is no older than this server: asks, else takes the launch lock and
 * starts it, else waits for who does.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../kernel/index.ts';
import { originOf } from '../../../schemas/address.ts';
import { takeLock } from '../../../schemas/held-lock.ts';
import { compareVersions } from '../../../schemas/version.ts';
import type { RegistryService } from '../../instances/registry/api.ts';
import type { ChallengeAnswer } from './challenge.ts';
import type { Launched, Launcher } from './launcher.ts';
import { type GatewayAddress, isTaken, type ProbeResult } from './probe.ts';
import { endSilentGateway } from './silent-gateway.ts';

export interface EnsureParts {
  address: GatewayAddress;
  registry: Pick<RegistryService, 'directory' | 'prepare' | 'read'>;
  probe(timeoutMs: number, signal: AbortSignal): Promise<ProbeResult>;
  launcher: Launcher;
  /** Asks a gateway that is older to give way to this version. */
  challenge(timeoutMs: number, signal: AbortSignal): Promise<ChallengeAnswer>;
  /** Of this server. */
  version: string;
  staleMs: number;
  timeoutMs: number;
  signal: AbortSignal;
}

export type Ensured =
  /** `older`: it is of an older version, and why it stays. */
  | { state: 'running'; older?: { version: string; reason: string } }
  | { state: 'launched'; pid: number }
  | { state: 'replaced'; version: string }
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
  const { address, signal } = parts;
  // Not the time of day, which may jump.
  const deadline = performance.now() + parts.timeoutMs;
  let reason = 'another launcher holds the launch lock, and no gateway came up';
  let mute = false;
  do {
    signal.throwIfAborted();
    const found = await parts.probe(askMs, signal);
    if (found.state === 'healthy') parts.launcher.answered();
    if (found.state === 'healthy' && !isOlder(found, parts.version)) return { state: 'running' };
    if (found.state === 'foreign' || found.state === 'elsewhere') return notOurs(address, found);
    // A daemon under load may miss a probe: only a port that stays silent up to the deadline is given up.
    mute = found.state === 'silent' && (await isTaken(address));
    if (mute && found.state === 'silent') {
      reason = `${originOf(address)} is in use by something that does not answer GET /health (${found.detail}): stop it, or choose another gateway_port`;
    } else {
      const launched = await launchLocked(parts, deadline);
      if (launched) return launched;
    }
    await sleep(stepMs, undefined, { signal, ref: false });
  } while (performance.now() < deadline);
  if (mute && (await endSilentGateway(parts.registry, address))) {
    const again = await launchLocked(parts, performance.now() + parts.timeoutMs);
    if (again) return again;
  }
  return { state: 'unavailable', reason };
}

/** Undefined while another launches. */
async function launchLocked(parts: EnsureParts, deadline: number): Promise<Ensured | undefined> {
  const { registry, staleMs } = parts;
  await registry.prepare();
  const lock = await takeLock(join(registry.directory, 'gateway-launch.lock'), staleMs);
  if (!lock) return undefined;
  try {
    return await launch(parts, deadline);
  } finally {
    await lock.release();
  }
}

/** With the lock held: another launcher may have been done just before. */
async function launch(parts: EnsureParts, deadline: number): Promise<Ensured> {
  const { address, launcher, signal } = parts;
  let launched: Launched | undefined;
  let replaced: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const found = await parts.probe(askMs, signal);
    if (found.state === 'foreign' || found.state === 'elsewhere') return notOurs(address, found);
    if (found.state !== 'healthy') {
      // Who gave way may still hold the port.
      if (found.state === 'refused' || !(await isTaken(address))) launched ??= await launcher.launch();
    } else if (!isOlder(found, parts.version)) {
      launcher.answered();
      if (replaced !== undefined) return { state: 'replaced', version: replaced };
      return launched ? { state: 'launched', pid: launched.pid } : { state: 'running' };
    } else if (replaced === undefined) {
      replaced = found.version;
      const { handoff, message, pid } = await launcher.offer(() => parts.challenge(parts.timeoutMs, signal));
      if (!handoff) return { state: 'running', older: { version: found.version, reason: message } };
      if (pid !== undefined) await launcher.record(pid);
      continue;
    }
    const ended = launched?.ended();
    if (launched && ended !== undefined) return afterEnd(parts, ended, launched.stderr_log);
    if (performance.now() >= deadline) return late(parts.timeoutMs, launched, replaced);
    await sleep(stepMs, undefined, { signal, ref: false });
  }
}

function late(timeoutMs: number, launched: Launched | undefined, replaced: string | undefined): Ensured {
  const who = launched ? `the gateway (process ${launched.pid}) was launched` : `the gateway ${replaced} gave way`;
  const where = launched ? `: see ${launched.stderr_log}` : '';
  return { state: 'unavailable', reason: `${who} but none answered within ${timeoutMs} ms${where}` };
}

/** A daemon that found the port taken by another daemon ends at once, and all is well. */
async function afterEnd(parts: EnsureParts, ended: string, log: string): Promise<Ensured> {
  const found = await parts.probe(askMs, parts.signal);
  if (found.state === 'healthy') return { state: 'running' };
  if (found.state === 'foreign' || found.state === 'elsewhere') return notOurs(parts.address, found);
  return { state: 'unavailable', reason: `the launched gateway ended with ${ended}: see ${log}` };
}

export const isOlder = (found: Extract<ProbeResult, { state: 'healthy' }>, version: string): boolean =>
  compareVersions(found.version, version) < 0;

function notOurs(address: GatewayAddress, { state, detail }: { state: string; detail: string }): Ensured {
  const reason =
    state === 'elsewhere'
      ? `${originOf(address)} is ${detail}: this server is invisible there. Choose another gateway_port`
      : `${originOf(address)} is not the gateway (${detail}): stop that service, or choose another gateway_port`;
  return { state: 'unavailable', reason };
}
