/** Real skills on disk and real runtimes for them, for the tests of this folder. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { createScope } from '../../../../kernel/index.ts';
import type {
  RuntimeSpec,
  SkillCall,
  SkillRuntime,
  SkillRuntimes,
} from '../../../../plugins/skills/runtime/runtime-api.ts';
import { createSkillRuntimes, type SkillRuntimesDeps } from '../../../../plugins/skills/runtime/runtimes.ts';
import { tempDir } from '../../../helper.ts';

export interface Rig {
  runtimes: SkillRuntimes;
  cacheDir: string;
  /** Log lines so far, parsed. */
  log: Record<string, unknown>[];
  events: { skill: string; name: string; attributes: unknown }[];
}

/** Runtimes over a fresh cache, disposed when the test ends. */
export async function rig(overrides: Partial<SkillRuntimesDeps> = {}): Promise<Rig> {
  const cacheDir = overrides.cacheDir ?? (await tempDir('svc-cache-'));
  const log: Rig['log'] = [];
  const events: Rig['events'] = [];
  const scope = createScope('test');
  const runtimes = createSkillRuntimes({
    cacheDir,
    isolation: 'process',
    heapMb: 64,
    bufferMb: 96,
    maxResultBytes: 4 * 1048576,
    log: pino({ level: 'debug', base: null }, { write: line => void log.push(JSON.parse(line)) }),
    services: {
      callTool: async (skill, tool, args) => ({ content: [{ type: 'text', text: `${skill}->${tool}` }], args }),
      emitEvent: (skill, name, attributes) => void events.push({ skill, name, attributes }),
    },
    env: process.env,
    scope,
    ...overrides,
  });
  onTestFinished(async () => {
    await runtimes.dispose();
    if (scope.list().length > 0) throw new Error(`left in the scope: ${scope.list().join(', ')}`);
  });
  return { runtimes, cacheDir, log, events };
}

/** A skill's directory with `files`; every `tools/*` is a module tool, every `scripts/*` a script tool, named by stem. */
export async function skill(files: Record<string, string>, overrides: Partial<RuntimeSpec> = {}): Promise<RuntimeSpec> {
  const directory = overrides.directory ?? (await tempDir('svc-skill-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  const tools = Object.keys(files)
    .filter(name => /^(tools|scripts)\/[^/]+$/.test(name))
    .map(name => ({
      name: name.replace(/^.*\//, '').replace(/\.\w+$/, ''),
      path: join(directory, name),
      kind: name.startsWith('tools/') ? ('module' as const) : ('script' as const),
    }));
  return { skill: 'probe', directory, isolation: 'worker', config: {}, tools, dcc: 'python', ...overrides };
}

export interface Heard {
  progress: unknown[][];
  logs: unknown[][];
}

/** Calls a tool and returns its decoded value. */
export async function run(
  runtime: SkillRuntime,
  tool: string,
  args: Record<string, unknown> = {},
  options: { timeoutMs?: number; signal?: AbortSignal; heard?: Heard; ask?: SkillCall['ask'] } = {},
): Promise<unknown> {
  const value = await runtime.call(tool, args, callOf(options));
  const { svcToolText, json } = value as { svcToolText?: true; json: string };
  return svcToolText ? JSON.parse(json) : value;
}

export function callOf({
  timeoutMs,
  signal,
  heard,
  ask,
}: {
  timeoutMs?: number;
  signal?: AbortSignal;
  heard?: Heard;
  ask?: SkillCall['ask'];
} = {}): SkillCall {
  const given = signal ?? (timeoutMs === undefined ? new AbortController().signal : AbortSignal.timeout(timeoutMs));
  return {
    signal: given,
    onAbort(listener) {
      if (given.aborted) listener(given.reason);
      const onAbort = (): void => void listener(given.reason);
      given.addEventListener('abort', onAbort);
      return () => given.removeEventListener('abort', onAbort);
    },
    graceMs: 0,
    job: undefined,
    meta: {},
    progress: (...each) => heard?.progress.push(each),
    log: (...each) => heard?.logs.push(each),
    closeStream: () => undefined,
    ask: ask ?? (() => Promise.reject(new Error('this caller is asked nothing'))),
  };
}

/** The error of a rejection, which must come. */
export async function errorOf(
  promise: Promise<unknown>,
): Promise<Error & { code: string; details: Record<string, unknown> }> {
  try {
    await promise;
  } catch (error) {
    return error as never;
  }
  throw new Error('expected a rejection');
}
