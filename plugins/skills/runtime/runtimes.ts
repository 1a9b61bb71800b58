/** Where skill code runs: module tools in a thread or process per skill, script tools in a process per call. */

import { hash as hashOf } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Environment, type Logger, type Scope, threadEntry } from '../../../kernel/index.ts';
import { atMost } from '../../../schemas/at-most.ts';
import type { Isolation } from '../packages/isolation.ts';
import { resolveToolFiles, type ToolFile } from '../packages/tool-files.ts';

import { createPythonEnvironments } from '../python/environments.ts';
import { pythonNeeds } from '../python/needs.ts';
import { createBundler } from './bundler.ts';
import type { RuntimeServices, RuntimeSpec, SkillRuntime, SkillRuntimes } from './runtime-api.ts';
import { runtimeErrors } from './runtime-errors.ts';
import { createScriptRunner } from './script-runner.ts';
import { createProcess } from './worker-process.ts';
import type { Realm, RealmOptions } from './worker-realm.ts';
import { startWorkerRuntime, type WorkerRuntime } from './worker-runtime.ts';
import { createSpares } from './worker-spares.ts';
import { createThread } from './worker-thread.ts';

export interface SkillRuntimesDeps {
  cacheDir: string;
  /** Nobody chose that directory: a temporary one serves when it cannot be written. */
  cacheMayMove?: boolean;
  /** Where skills run that do not say it. */
  isolation: Isolation;
  /** JavaScript heap limit of one skill, in MiB. */
  heapMb: number;
  /** What one skill may hold in buffers outside that heap, in MiB. */
  bufferMb: number;
  /** Largest result of a tool, as JSON. */
  maxResultBytes: number;
  log: Logger;
  services: RuntimeServices;
  /** Environment of skill code and scripts, and of the SVC_PYTHON_* settings. */
  env: Environment;
  scope: Scope;
  /** Receives what skill code prints, line by line, beside the log. */
  onRuntimeLog?: ((skill: string, level: 'info' | 'warn', line: string) => void) | undefined;
  /** How long the top-level code of a skill may take. */
  startTimeoutMs?: number;
  /** How long making the Python environment of a skill may take. */
  setupTimeoutMs?: number;
}

/** How long `dispose` waits for threads that native code holds. */
const disposeWaitMs = 2000;

export function createSkillRuntimes(deps: SkillRuntimesDeps): SkillRuntimes {
  const { heapMb, bufferMb, log, env, onRuntimeLog, startTimeoutMs = 10_000, setupTimeoutMs = 300_000 } = deps;
  const scope = deps.scope.child('skill runtimes');
  const bundler = createBundler(deps);
  const environments = createPythonEnvironments({ ...deps, timeoutMs: setupTimeoutMs });
  const scripts = createScriptRunner({ env, log, bundler, environments, maxResultBytes: deps.maxResultBytes });
  const realms = new Set<Realm>();

  const spawn = (create: (options: RealmOptions) => Realm) => async (): Promise<Realm> => {
    const entry = await threadEntry('skill-worker', 'plugins/skills/runtime/skill-worker.ts');
    if (disposal) throw new Error('the server is closing');
    const realm = create({ entry, heapMb, bufferMb, env });
    const end = realm.end.bind(realm);
    // Kept until it is really gone, not until it was told to end.
    realms.add(realm);
    realm.onEnd(() => void end().then(() => realms.delete(realm)));
    return realm;
  };
  const spares = { worker: createSpares(spawn(createThread)), process: createSpares(spawn(createProcess)) };
  const open = new Set<SkillRuntime>();
  let disposal: Promise<void> | undefined;

  const dispose = async (): Promise<void> => {
    await Promise.all([...open].map(runtime => runtime.close(0)));
    await Promise.all([
      scripts.dispose(),
      spares.worker.dispose(),
      spares.process.dispose(),
      bundler.dispose(),
      environments.dispose(),
    ]);
    await atMost(Promise.all([...realms].map(realm => realm.end())), disposeWaitMs);
    forget();
    await scope.dispose();
  };
  const disposeOnce = (): Promise<void> => {
    disposal ??= dispose();
    return disposal;
  };
  const forget = scope.add('warm spare, compiler and scripts', disposeOnce);

  const startModules = async (spec: RuntimeSpec, modules: readonly ToolFile[]) => {
    const { skill, directory } = spec;
    const bundle = await bundler.bundle({
      skill,
      directory,
      tools: new Map(modules.map(each => [each.name, each.path])),
    });
    const onOutput = (level: 'info' | 'warn', line: string): void => {
      log[level]({ skill }, line);
      onRuntimeLog?.(skill, level, line);
    };
    const { take: takeRealm, refill } = spares[spec.isolation ?? deps.isolation];
    const runtime = await startWorkerRuntime({ ...deps, spec, bundle, takeRealm, onOutput, startTimeoutMs });
    refill();
    return { bundle, runtime };
  };

  return {
    async start(spec) {
      if (disposal) throw runtimeErrors.CLOSED({ skill: spec.skill });
      const modules = spec.tools.filter(each => each.kind === 'module');
      const scriptTools = spec.tools.filter(each => each.kind === 'script');
      const scriptHashes = await hashFiles(scriptTools, spec);
      const code = modules.length > 0 ? await startModules(spec, modules) : undefined;
      const inputs = [...new Set([...(code?.bundle.inputs ?? []), ...scriptTools.map(each => each.path)])];
      const hash = hashOf('sha256', JSON.stringify([code?.bundle.hash, scriptHashes, spec.needs]));
      const runtime = compose(spec, code?.runtime, inputs, hash);
      if (disposal) {
        await runtime.close(0);
        throw runtimeErrors.CLOSED({ skill: spec.skill });
      }
      open.add(runtime);
      const forgetRuntime = scope.add(`runtime ${spec.skill}`, () => runtime.close(0));
      const { close } = runtime;
      runtime.close = async drainMs => {
        await close(drainMs);
        open.delete(runtime);
        // Only removes the entry: closing again is nothing.
        await forgetRuntime();
      };
      return runtime;
    },
    async pythons({ directory, manifest }) {
      const files = await resolveToolFiles(directory, manifest.tools, () => undefined);
      const needs = await pythonNeeds(directory, manifest, files);
      const distinct = new Map(Object.values(needs).map(need => [JSON.stringify(need), need]));
      const found = await Promise.all([...distinct.values()].map(need => environments.known(need, directory)));
      return found.filter(each => each !== undefined);
    },
    dispose: disposeOnce,
  };

  function compose(
    spec: RuntimeSpec,
    worker: WorkerRuntime | undefined,
    inputs: string[],
    hash: string,
  ): { -readonly [K in keyof SkillRuntime]: SkillRuntime[K] } {
    const tools = new Map(spec.tools.map(tool => [tool.name, tool]));
    const script = scripts.forSkill(spec);
    let closing: Promise<void> | undefined;
    return {
      inputs,
      hash,
      get running() {
        return (worker?.running ?? 0) + script.running;
      },
      problems: script.environments.problems,
      prepared: script.environments.prepared,
      retry: script.environments.retry,
      call(name, args, call) {
        const tool = tools.get(name);
        if (tool?.kind === 'module' && worker) return worker.call(name, args, call);
        if (tool?.kind === 'script') return script.call(tool, args, call);
        const known = [...tools.keys()].join(', ') || 'none';
        return Promise.reject(runtimeErrors.UNKNOWN_TOOL({ skill: spec.skill, tool: name, known }));
      },
      close(drainMs) {
        closing ??= Promise.all([worker?.close(drainMs), script.close(drainMs)]).then(() => undefined);
        return closing;
      },
    };
  }
}

async function hashFiles(tools: readonly ToolFile[], { skill }: RuntimeSpec): Promise<string[]> {
  return Promise.all(
    tools.map(async ({ name, path }) => {
      try {
        return name + hashOf('sha256', await readFile(path));
      } catch (error) {
        const { code = 'unreadable' } = error as NodeJS.ErrnoException;
        throw runtimeErrors.START_FAILED({ skill, reason: `the script of tool "${name}" cannot be read (${code})` });
      }
    }),
  );
}
