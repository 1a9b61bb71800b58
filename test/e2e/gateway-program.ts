/** Gateways and servers as processes on a port and in a registry directory of their own; nothing survives the test. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { packageVersion } from '../../kernel/index.ts';
import { freePort, tempDir, waitFor } from '../helper.ts';
import { program, type Run, runNode, runProgram } from './program.ts';

export interface World {
  readonly port: number;
  readonly directory: string;
  /** Starts a server of this world. */
  serve(...args: string[]): Run;
  /** The same from another build, or as another program. */
  serveFrom(program: string, ...args: string[]): Run;
  /** Starts a gateway of this world. */
  gateway(...args: string[]): Run;
  /** Body of GET /health; undefined when nobody answers. */
  health(): Promise<unknown>;
  /** Waits until the gateway answers; resolves with the process id of the launched daemon. */
  daemon(other?: number): Promise<number>;
  /** What the launched daemons wrote. */
  daemonLog(): Promise<string>;
  /** The rows of its registry. */
  rows(): Promise<Record<string, unknown>[]>;
  file(name: string): string;
}

/** Guards that look often, so that a test need not wait. */
const quick = ['--gateway-guardian-interval', '0.3', '--gateway-ensure-timeout-secs', '20'];

export const gatewayHealth = {
  ...{ ok: true, service: 'dcc-mcp-gateway', product: 'svc', version: packageVersion },
  registry: expect.stringMatching(/^[0-9a-f]{16}$/),
};

export async function createWorld(): Promise<World> {
  const directory = await tempDir('svc-world-');
  const port = await freePort();
  const file = (name: string): string => join(directory, name);
  const manifestPid = async (): Promise<number | undefined> => {
    const text = await readFile(file(`gateway-autolaunch-${port}.json`), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as { pid: number }).pid;
  };
  const health = async (): Promise<unknown> =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      response => response.json(),
      () => undefined,
    );
  // Runs after the servers have gone, which were started later.
  onTestFinished(async () => {
    const pid = await manifestPid();
    if (pid !== undefined) kill(pid);
    await waitFor(async () => pid === undefined || !isAlive(pid), 'the daemon to end', 10_000);
  });

  const serveFrom = (from: string, ...args: string[]): Run =>
    runNode(from, [
      ...['serve', '--json', '--gateway-port', String(port), '--registry-dir', directory],
      ...['--no-bundled-skills', '--no-watch-skills', ...quick, ...args],
    ]);
  return {
    port,
    directory,
    serve: (...args) => serveFrom(program, ...args),
    serveFrom,
    gateway: (...args) => runProgram(['gateway', '--port', String(port), '--registry-dir', directory, ...args]),
    health,
    async daemon(other) {
      const answering = async (): Promise<number | undefined> => {
        const pid = await manifestPid();
        return pid !== other && (await health()) !== undefined ? pid : undefined;
      };
      return waitFor(answering, 'the daemon', 30_000);
    },
    daemonLog: () => readFile(file(`gateway-autolaunch-${port}-stderr.log`), 'utf8').catch(() => ''),
    async rows() {
      const names = (await readdir(file('instances'))).filter(name => name.endsWith('.json'));
      // One may go between the look and the reading.
      const texts = await Promise.all(
        names.map(name => readFile(file(join('instances', name)), 'utf8').catch(() => undefined)),
      );
      return texts.flatMap(text => (text === undefined ? [] : [JSON.parse(text)]));
    },
    file,
  };
}

export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
