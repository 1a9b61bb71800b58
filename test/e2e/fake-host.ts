/** A host under plain Python with the real module and the built companion, for the tests of the link. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../kernel/index.ts';
import { testEnv } from '../environment.ts';
import { fixture } from '../server.ts';
import { connect, type Wire } from '../spec/wire.ts';
import { program } from './program.ts';

export interface HostTold {
  state: string;
  mcp_url: string | null;
  instance_id: string | null;
  server_pid: number | null;
  reason: string | null;
  log: string[];
}

export interface FakeHost {
  child: ChildProcess;
  /** Everything that it told, in order. */
  told: HostTold[];
  /** Waits for what it tells from now on, the last that it told included. */
  until(fits: (told: HostTold) => boolean): Promise<HostTold>;
  client(): Promise<Wire>;
  stop(): Promise<void>;
}

export const moduleFolder = join(packageRoot, 'plugins', 'host-link', 'python');

/** Environment of a host and its companion. */
export const hostEnv = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SVC_|NODE_|VITEST)/.test(name))),
  ...testEnv,
  SVC_HOST_COMMAND: `${process.execPath} ${program}`,
  PYTHONDONTWRITEBYTECODE: '1',
});

export function startFakeHost(
  settings: {
    options?: object;
    server?: string[];
    scene?: unknown;
    config?: string;
    module?: string;
    /** Settings of its feedback tool, and a file of what its functions give. */
    feedback?: object;
    vault?: string;
  } = {},
  env: NodeJS.ProcessEnv = {},
): FakeHost {
  const options = { bundled_skills: false, watch_skills: false, request_timeout_ms: 5000, ...settings.options };
  const given = JSON.stringify({ module: moduleFolder, ...settings, options });
  const child = spawn('python3', [fixture('fake-host.py'), given], {
    env: { ...hostEnv(), ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const told: HostTold[] = [];
  const waiting = new Set<() => void>();
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  createInterface({ input: child.stdout }).on('line', line => {
    // What a tool printed stands between.
    if (!line.startsWith('{"state"')) return;
    told.push(JSON.parse(line) as HostTold);
    for (const each of waiting) each();
  });
  const until = (fits: (told: HostTold) => boolean): Promise<HostTold> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const last = told.at(-1);
        if (!last || !fits(last)) return;
        waiting.delete(look);
        clearTimeout(patience);
        resolve(last);
      };
      const patience = setTimeout(
        () => reject(new Error(`the host did not get there: ${JSON.stringify(told.at(-1))}`)),
        15_000,
      );
      waiting.add(look);
      look();
    });
  return {
    child,
    told,
    until,
    async client() {
      const { mcp_url } = await until(each => each.state === 'connected' && each.mcp_url !== null);
      return connect(String(mcp_url), { protocolVersion: '2025-06-18' });
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
