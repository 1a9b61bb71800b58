/** The two servers that every client drives: `createServer` in this process, and the built program in its own. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { environmentName, packageRoot } from '../../../kernel/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import { quiet, skillFolder, startServer } from '../../spec/fixture.ts';
import type { SkillFixture } from '../../spec/skill-package.ts';

export interface Target {
  readonly name: string;
  /** Starts a server that ends with the test; resolves with the URL of its endpoint. */
  start(options: ServerOptions): Promise<string>;
}

const inProcess: Target = {
  name: 'createServer',
  start: async options => (await startServer(options)).service.mcpUrl(),
};

const program: Target = {
  name: 'svc-server',
  async start(options) {
    const file = join(packageRoot, 'dist', 'svc-server.js');
    if (!existsSync(file)) throw new Error('dist/svc-server.js does not exist: run "npm run build" first');
    const { spawn_mode: _, ...rest } = { ...quiet, ...options };
    const child = spawn(process.execPath, [file, 'serve', '--json'], {
      env: { ...process.env, ...environmentOf(rest) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const { event, mcp_url } = JSON.parse(line) as { event: string; mcp_url: string };
      if (event === 'listening') return mcp_url;
    }
    throw new Error('svc-server ended before it listened');
  },
};

export const targets: readonly Target[] = [inProcess, program];

/** Options as the environment variables that mean the same. */
function environmentOf(options: ServerOptions): Record<string, string> {
  const text = (value: unknown): string => (Array.isArray(value) ? value.join(delimiter) : String(value));
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [environmentName(name), text(value)]));
}

/** Tools that report progress, log, wait for their cancellation and tell whether it came. */
const drive: SkillFixture = {
  description: 'Tools that a client can drive.',
  tools: [
    { name: 'echo', body: 'return args;' },
    {
      name: 'steps',
      execution: 'sync',
      body: `
        for (let step = 1; step <= args.count; step += 1) {
          ctx.progress(step, args.count, 'step ' + step);
          await new Promise(resolve => setTimeout(resolve, args.pause_ms ?? 10));
        }
        return { steps: args.count };`,
    },
    { name: 'talk', execution: 'sync', body: "ctx.log.info('quiet'); ctx.log.error('loud'); return { said: 2 };" },
    {
      name: 'hang',
      body: `
        globalThis.__begun = true;
        await new Promise((resolve, reject) => {
          const stop = () => { globalThis.__stopped = true; reject(new Error('stopped')); };
          if (ctx.signal.aborted) stop();
          ctx.signal.addEventListener('abort', stop);
        });`,
    },
    { name: 'has_begun', body: 'return { begun: globalThis.__begun === true };' },
    { name: 'was_stopped', body: 'return { stopped: globalThis.__stopped === true };' },
  ],
};

/** A folder with the skill `drive` and a second one to load and unload. */
export const driveFolder = (): Promise<string> => skillFolder({ drive, extra: { tools: [{ name: 'extra_tool' }] } });
