/**
 * Python environments of skills: made once for what they hold, shared by skills and servers, found again without a
 * network. Each build has a folder of its own; a small file, replaced in one step, says which one counts.
 */
import { hash, randomUUID } from 'node:crypto';
import { access, mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, type Logger, writeWhole } from '../../../kernel/index.ts';
import { takeLock } from './folder-lock.ts';
import { hasAll, install, programsOf, pythonOf, wheelsOf } from './install.ts';
import { findInterpreter, type Interpreter } from './interpreters.ts';
import type { PythonNeed } from './needs.ts';

export interface PythonEnvironment {
  /** The program that runs scripts. */
  python: string;
  /** Added to the environment of scripts. */
  folder?: string;
}

/** A use of an environment. */
export interface EnvironmentUse {
  /** Rejects with a sentence of why there is none. */
  readonly ready: Promise<PythonEnvironment>;
  /** Gives it up: what is being made for nobody else is ended. */
  close(): void;
}

export interface EnvironmentsDeps {
  cacheDir: string;
  env: Environment;
  log: Pick<Logger, 'info' | 'warn'>;
  /** What making one may take. */
  timeoutMs: number;
}

interface Making {
  done: Promise<PythonEnvironment>;
  abort: AbortController;
  users: number;
}

const day = 86_400_000;
const keptMs = 30 * day;
/** Requirements that mean other things from another folder. */
const local = /^\s*-e|(?:^|[\s@=])(?:\.{1,2}[\\/]|file:)/m;

export type PythonEnvironments = ReturnType<typeof createPythonEnvironments>;

export function createPythonEnvironments({ cacheDir, env, log, timeoutMs }: EnvironmentsDeps) {
  const root = join(cacheDir, 'python');
  const making = new Map<string, Making>();
  let pruned = false;

  const pointerOf = (key: string): string => join(root, `${key}.json`);

  /** The environment of that key when it is there and its interpreter still is; it counts as used. */
  const find = async (key: string): Promise<PythonEnvironment | undefined> => {
    try {
      const { name } = JSON.parse(await readFile(pointerOf(key), 'utf8')) as { name: string };
      const folder = join(root, name);
      await access(pythonOf(folder));
      const now = new Date();
      await utimes(pointerOf(key), now, now);
      return { python: pythonOf(folder), folder };
    } catch {
      return undefined;
    }
  };

  const make = async (
    key: string,
    { interpreter, need, directory }: { interpreter: Interpreter; need: PythonNeed; directory: string },
    signal: AbortSignal,
  ): Promise<PythonEnvironment> => {
    const known = await find(key);
    if (known) return known;
    await mkdir(root, { recursive: true, mode: 0o700 }).catch(({ code }: NodeJS.ErrnoException) => {
      throw new Error(`the cache directory cannot be written (${code}): name another with cache_dir`);
    });
    const release = await takeLock(join(root, `${key}.lock`), signal, async () => (await find(key)) !== undefined);
    try {
      const made = await find(key);
      if (made) return made;
      const name = `${key}-${randomUUID().slice(0, 8)}`;
      const folder = join(root, name);
      const startedAt = Date.now();
      try {
        await install({ interpreter, need, directory, folder, env, timeoutMs, signal });
      } catch (error) {
        await rm(folder, { recursive: true, force: true }).catch(() => undefined);
        throw error;
      }
      await writeWhole(pointerOf(key), JSON.stringify({ name }), { mode: 0o600, folderMode: 0o700 });
      log.info({ folder, ms: Date.now() - startedAt }, 'a Python environment of a skill was made');
      if (!pruned)
        void prune().catch((err: unknown) => log.warn({ err }, 'old Python environments could not be removed'));
      return { python: pythonOf(folder), folder };
    } finally {
      await release?.();
    }
  };

  /** Removes what nobody loaded for a month, and what builds left that did not end. */
  const prune = async (): Promise<void> => {
    pruned = true;
    const names = await readdir(root);
    const counted = new Set<string>();
    for (const name of names.filter(each => each.endsWith('.json'))) {
      const { mtimeMs } = await stat(join(root, name));
      const target = JSON.parse(await readFile(join(root, name), 'utf8')) as { name: string };
      if (Date.now() - mtimeMs < keptMs) counted.add(target.name);
      else await rm(join(root, name), { force: true });
    }
    for (const name of names.filter(each => !/\.(?:json|lock)$/.test(each) && !counted.has(each))) {
      const { mtimeMs } = await stat(join(root, name));
      if (Date.now() - mtimeMs > day) await rm(join(root, name), { recursive: true, force: true });
    }
  };

  const share = (key: string, begin: (signal: AbortSignal) => Promise<PythonEnvironment>): Making => {
    const before = making.get(key);
    if (before && !before.abort.signal.aborted) return before;
    const abort = new AbortController();
    const made: Making = { abort, users: 0, done: begin(abort.signal) };
    const forget = (): void => {
      if (making.get(key) === made) making.delete(key);
    };
    made.done.then(forget, forget);
    making.set(key, made);
    return made;
  };

  return {
    /** Begins to make what a script needs, unless it is there. */
    use(need: PythonNeed, directory: string): EnvironmentUse {
      const over = new AbortController();
      let mine: Making | undefined;
      let timer: NodeJS.Timeout | undefined;
      const prepare = async (): Promise<PythonEnvironment> => {
        if (need.problem !== undefined) throw new Error(need.problem);
        const interpreter = await findInterpreter(need.python, env);
        if (need.requirements.trim() === '') return { python: interpreter.command };
        const key = await keyOf(interpreter, need, directory);
        over.signal.throwIfAborted();
        mine = share(key, signal => make(key, { interpreter, need, directory }, signal));
        mine.users += 1;
        const made = await mine.done.catch(async (error: Error) => {
          const limits = { env, directory, timeoutMs, signal: over.signal };
          if (over.signal.aborted || !(await hasAll(interpreter, need, limits))) throw error;
          log.warn(
            { reason: error.message },
            'no Python environment of a skill could be made: its interpreter has all it needs',
          );
          return { python: interpreter.command };
        });
        // A long use counts as one.
        if (!over.signal.aborted) timer = setInterval(() => void find(key), day).unref();
        return made;
      };
      const ready = prepare();
      // Told to each caller that asks.
      ready.catch(() => undefined);
      return {
        ready,
        close() {
          if (over.signal.aborted) return;
          over.abort(new Error('its skill was unloaded'));
          clearInterval(timer);
          if (!mine) return;
          mine.users -= 1;
          if (mine.users === 0) mine.abort.abort(new Error('its skill was unloaded'));
        },
      };
    },
    /** The interpreter that runs scripts with that need now; undefined while it has to be made. */
    async known(need: PythonNeed, directory: string): Promise<string | undefined> {
      const interpreter = await findInterpreter(need.python, env).catch(() => undefined);
      if (!interpreter || need.requirements.trim() === '') return interpreter?.command;
      return (await find(await keyOf(interpreter, need, directory)))?.python;
    },
    /** Ends what is being made. */
    async dispose(): Promise<void> {
      const all = [...making.values()];
      for (const { abort } of all) abort.abort(new Error('the server is closing'));
      await Promise.allSettled(all.map(each => each.done));
    },
  };
}

/** Equal for all that would be installed into it, whatever skill asks. */
async function keyOf(
  { executable, version, chosen }: Interpreter,
  need: PythonNeed,
  directory: string,
): Promise<string> {
  const { requirements } = need;
  const wheels = wheelsOf(directory);
  const names = await readdir(wheels).catch(() => [] as string[]);
  const sizes = await Promise.all(names.sort().map(async name => [name, (await stat(join(wheels, name))).size]));
  const where = local.test(requirements) ? directory : '';
  return hash('sha256', JSON.stringify([1, executable, version, chosen, requirements, sizes, where])).slice(0, 32);
}

/** What scripts see of it beside their interpreter: its programs on the PATH. */
export function environmentVariables(
  { folder }: PythonEnvironment,
  path: string,
  delimiter: string,
): Record<string, string> {
  if (folder === undefined) return {};
  return { VIRTUAL_ENV: folder, PATH: path === '' ? programsOf(folder) : programsOf(folder) + delimiter + path };
}
