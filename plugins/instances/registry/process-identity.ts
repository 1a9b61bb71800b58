/**
 * Who owns a row: a process id and when that process started, so that another process with a reused id is not taken for
 * the owner. Linux tells both in `/proc`; elsewhere the id alone decides, as well as it can.
 */
import { closeSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { hostname } from 'node:os';
import type { InstanceRow } from '../../../schemas/instance.ts';

/** The boot and the space in which process ids mean something: outside of it nothing is known about them. */
function readPlace(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

const buffer = Buffer.allocUnsafe(1024);

/** State and start time (ticks since boot) of a process; nothing when there is none. */
function linuxProcess(pid: number): { state: string; start: string } | undefined {
  let text: string;
  try {
    const file = openSync(`/proc/${pid}/stat`, 'r');
    try {
      text = buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
  // The name, in parentheses, may contain anything; the state is field 3, the start field 22.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', start: fields[19] ?? '' };
}

/** Without `/proc`: a process that this user may not signal exists. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Made once per process. */
export function createProcessIdentity() {
  const place = readPlace();
  const machine = hostname();
  const own = place === undefined ? undefined : linuxProcess(process.pid)?.start;

  const lives = (pid: number, start?: unknown): boolean => {
    if (place === undefined) return exists(pid);
    const found = linuxProcess(pid);
    // A zombie has ended; its parent has only not asked yet.
    if (found === undefined || found.state === 'Z' || found.state === 'X') return false;
    return typeof start !== 'string' || found.start === start;
  };

  return {
    /** Members of `extras` that name the owner's start; for a row whose owner is this process. */
    extras: {
      process_machine: machine,
      ...(place !== undefined && { process_place: place, process_start: own }),
    },
    exists: ({ pid, host_pid }: Pick<InstanceRow, 'pid' | 'host_pid'>): boolean =>
      (pid === null || exists(pid)) && (host_pid === null || host_pid === pid || exists(host_pid)),
    isAlive({ pid, host_pid, extras }: Pick<InstanceRow, 'pid' | 'host_pid' | 'extras'>): boolean | null {
      if (pid === null && host_pid === null) return null;
      const { process_machine, process_place, process_start } = extras;
      if (typeof process_machine === 'string' && process_machine !== machine) return null;
      if (typeof process_place === 'string' && place !== undefined && process_place !== place) {
        // After a reboot of this machine every old process is gone; in another container it may well live.
        return process_place.split(' ')[0] === place.split(' ')[0] ? null : false;
      }
      if (pid !== null && !lives(pid, process_start)) return false;
      return host_pid === null || host_pid === pid || lives(host_pid);
    },
  };
}
