/** Starts the daemon as a process of its own that outlives this one; its output goes to files in the registry directory. */

import { spawn } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../../kernel/index.ts';
import { originOf } from '../../../schemas/address.ts';
import { type DaemonCommand, daemonFiles } from '../../../schemas/gateway-daemon.ts';
import { turnOver } from './launch-logs.ts';
import type { GatewayAddress } from './probe.ts';

export interface Launched {
  pid: number;
  /** Where its errors can be read. */
  stderr_log: string;
  /** The exit code or signal once the process has ended. */
  ended(): string | undefined;
}

export interface LauncherParts {
  address: GatewayAddress;
  directory: string;
  command(): DaemonCommand;
  /** What the daemon is to be set to. */
  settings(): Promise<object>;
  env(): Record<string, string>;
}

export type Launcher = ReturnType<typeof createLauncher>;

/** Only this user may read what we write: tokens are among the settings. */
const mode = 0o600;

export function createLauncher({ address, directory, command, settings, env }: LauncherParts) {
  const files = daemonFiles(address.port);
  const name = join(directory, `gateway-autolaunch-${address.port}`);
  const stdout_log = `${name}-stdout.log`;
  const stderr_log = `${name}-stderr.log`;
  const write = (file: string, value: object): Promise<void> =>
    writeWhole(file, `${JSON.stringify(value, null, 2)}\n`, { mode });

  /** Writes down which process is the daemon, for people and for other programs. */
  const record = async (pid: number): Promise<void> => {
    await write(join(directory, files.launched), {
      pid,
      spawned_at_unix: Date.now() / 1000,
      ...command(),
      registry_dir: directory,
      health_url: `${originOf(address)}/health`,
      ...address,
      stdout_log,
      stderr_log,
    });
  };

  /** The one that was launched last and has not answered yet: on a busy machine a second would only slow it down. */
  let starting: Launched | undefined;

  return {
    record,
    /** A gateway answers: when it ends, another may be launched. */
    answered(): void {
      starting = undefined;
    },
    /** Spawns the daemon; rejects when the process cannot be started or its files cannot be written. */
    async launch(): Promise<Launched> {
      if (starting && starting.ended() === undefined) return starting;
      await Promise.all([turnOver(stdout_log), turnOver(stderr_log)]);
      await write(join(directory, files.settings), await settings());
      const [stdout, stderr] = [await open(stdout_log, 'a', mode), await open(stderr_log, 'a', mode)];
      let ending: string | undefined;
      try {
        const { executable, args } = command();
        const child = spawn(executable, args, {
          cwd: directory,
          detached: true,
          windowsHide: true,
          stdio: ['ignore', stdout.fd, stderr.fd],
          env: env(),
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
        await record(pid);
        starting = { pid, stderr_log, ended: () => ending };
        return starting;
      } finally {
        await Promise.all([stdout.close(), stderr.close()]);
      }
    },
    /** Lays out our command for the gateway that `ask` asks to give way, so that it can go on as ours. */
    async offer<T>(ask: () => Promise<T>): Promise<T> {
      const file = join(directory, files.successor);
      await write(file, command());
      try {
        return await ask();
      } finally {
        await rm(file, { force: true });
      }
    },
  };
}
