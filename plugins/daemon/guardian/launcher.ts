/** Starts the daemon as a process of its own that outlives this one; its output goes to files in the registry directory. */

import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../../kernel/index.ts';
import { originOf } from '../../../schemas/address.ts';
import type { DaemonCommand } from './daemon-command.ts';
import { turnOver } from './launch-logs.ts';
import type { GatewayAddress } from './probe.ts';

export interface Launched {
  pid: number;
  /** Where its errors can be read. */
  stderr_log: string;
  /** The exit code or signal once the process has ended. */
  ended(): string | undefined;
}

export interface LaunchInput {
  address: GatewayAddress;
  directory: string;
  command: DaemonCommand;
}

/** Spawns the daemon; rejects when the process cannot be started or its files cannot be written. */
export async function launchDaemon({ address, directory, command }: LaunchInput): Promise<Launched> {
  const name = join(directory, `gateway-autolaunch-${address.port}`);
  const stdout_log = `${name}-stdout.log`;
  const stderr_log = `${name}-stderr.log`;
  await Promise.all([turnOver(stdout_log), turnOver(stderr_log)]);
  const [stdout, stderr] = [await open(stdout_log, 'a', 0o600), await open(stderr_log, 'a', 0o600)];
  let ending: string | undefined;
  try {
    const child = spawn(command.executable, command.args, {
      cwd: directory,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', stdout.fd, stderr.fd],
      env: command.env,
    });
    child.once('exit', (code, signal) => {
      ending = signal ?? `exit code ${code}`;
    });
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    // It must not keep this process alive.
    child.unref();
    const pid = child.pid as number;
    const manifest = {
      pid,
      spawned_at_unix: Date.now() / 1000,
      executable: command.executable,
      args: command.args,
      registry_dir: directory,
      health_url: `${originOf(address)}/health`,
      ...address,
      stdout_log,
      stderr_log,
    };
    await writeWhole(`${name}.json`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    return { pid, stderr_log, ended: () => ending };
  } finally {
    await Promise.all([stdout.close(), stderr.close()]);
  }
}
