/** Script tools: one child process per call, parameters on stdin and as flags, the result on stdout (shape:scripts). */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, delimiter } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Environment, Logger } from '../../../kernel/index.ts';
import { atMost } from '../../../schemas/at-most.ts';
import { traceContextOf } from '../../../schemas/traceparent.ts';
import type { ToolFile } from '../packages/tool-files.ts';
import { createKeptText, cutMiddle } from '../processes/kept-text.ts';
import { processTree } from '../processes/process-tree.ts';
import { skillEnvironment } from '../processes/skill-environment.ts';
import type { PythonEnvironments } from '../python/environments.ts';
import type { Bundler } from './bundler.ts';
import type { RuntimeSpec, SkillCall } from './runtime-api.ts';
import { runtimeErrors } from './runtime-errors.ts';
import { channelFd, openScriptChannel } from './script-channel.ts';
import { openScriptEnvironments, type ScriptEnvironments } from './script-environments.ts';
import { helpers, type Invocation, invocationOf, isTypeScript } from './script-interpreters.ts';
import { flagsOf, parseFailure, parseOutput, publicParameters } from './script-protocol.ts';
import { abortError } from './worker-runtime.ts';

export interface ScriptRunnerDeps {
  env: Environment;
  log: Logger;
  /** For TypeScript scripts. */
  bundler: Bundler;
  /** What a script may print: its result. */
  maxResultBytes: number;
  environments: PythonEnvironments;
}

export interface SkillScripts {
  readonly running: number;
  readonly environments: ScriptEnvironments;
  call(tool: ToolFile, args: Record<string, unknown>, call: SkillCall): Promise<unknown>;
  close(drainMs: number): Promise<void>;
}

const stderrLimit = 64 * 1024;
const shownOutput = 2000;
/** Between the polite and the forceful signal. */
const graceMs = 500;
/** What a script that listens for its cancellation may take to end when nobody waits for that. */
const politeMs = 2000;
/** A script that has exited may leave its pipes open in a grandchild: nobody waits longer for them. */
const pipesMs = 250;
const mostAtOnce = 64;

export function createScriptRunner({ env, log, bundler, maxResultBytes, environments }: ScriptRunnerDeps) {
  const turns = createTurns(mostAtOnce);
  const skills = new Set<SkillScripts>();
  const dying = new Set<Promise<void>>();

  const killIn = (tree: ReturnType<typeof processTree>, child: ChildProcess): Promise<void> => {
    const death = tree.kill(child, graceMs).finally(() => dying.delete(death));
    dying.add(death);
    return death;
  };

  const forSkill = (spec: RuntimeSpec): SkillScripts => {
    const { skill, directory, dcc } = spec;
    const pythons = openScriptEnvironments(spec, environments, env.PATH ?? env.Path ?? '');
    const ends = new Map<AbortController, { tool: string; end: Promise<unknown> }>();
    let closed = false;

    const run = async (
      tool: ToolFile,
      args: Record<string, unknown>,
      signal: AbortSignal,
      call: SkillCall,
    ): Promise<unknown> => {
      const release = await turns.take(signal);
      try {
        const { path } = tool;
        const bundled = isTypeScript(path) ? await bundler.bundle({ skill, directory, script: path }) : undefined;
        const own = await pythons.of(tool.name, signal);
        const invocation = await invocationOf({ tool: tool.name, path, dcc }, env, bundled?.file, own);
        signal.throwIfAborted();
        return await runScript(tool, invocation, publicParameters(args), signal, call);
      } finally {
        release();
      }
    };

    const runScript = (
      tool: ToolFile,
      invocation: Invocation,
      parameters: Record<string, unknown>,
      signal: AbortSignal,
      call: SkillCall,
    ) =>
      new Promise<unknown>((resolve, reject) => {
        const file = basename(tool.path);
        const tree = processTree({ ...scriptEnvironment(env), ...traceEnvironment(call), ...invocation.env });
        const child = spawn(invocation.command, [...invocation.args, ...flagsOf(parameters, invocation.shell)], {
          ...tree.options,
          stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
        });
        const kill = (): Promise<void> => killIn(tree, child);
        const { stdin, stdout, stderr } = child;
        const aside = child.stdio[channelFd] as Duplex;
        const channel = openScriptChannel(aside, call);
        const out: Buffer[] = [];
        let outBytes = 0;
        const errors = createKeptText(stderrLimit);
        let pipesTimer: NodeJS.Timeout | undefined;

        const settle = (finish: () => void): void => {
          clearTimeout(pipesTimer);
          signal.removeEventListener('abort', onAbort);
          child.removeAllListeners('close');
          for (const stream of [stdin, stdout, stderr, aside]) stream.destroy();
          finish();
        };
        const fail = (error: unknown): void => {
          void kill();
          settle(() => reject(error));
        };
        /** A script that listens has the time to end by itself. */
        const stop = async (): Promise<void> => {
          const { message } = signal.reason as Error;
          if (channel.cancel(message)) await atMost(once(child, 'exit'), call.graceMs > 0 ? call.graceMs : politeMs);
          await kill();
        };
        const onAbort = (): void => {
          // A job is cancelled once nothing of its script runs any more.
          if (call.graceMs <= 0) reject(signal.reason);
          void stop().then(() => settle(() => reject(signal.reason)));
        };
        const onExit = (code: number | null, by: NodeJS.Signals | null): void => {
          if (signal.aborted) return;
          const printed = Buffer.concat(out).toString('utf8');
          const errorText = errors.text();
          if (code === 0) {
            if (errorText) log.debug({ skill, tool: tool.name, stderr: errorText }, 'a script wrote to stderr');
            settle(() => resolve(parseOutput(printed)));
            return;
          }
          log.warn({ skill, tool: tool.name, exit_code: code, stderr: errorText }, 'a script failed');
          const told = parseFailure(printed);
          if (told !== undefined) {
            void kill();
            settle(() => resolve(told));
            return;
          }
          const output = cutMiddle(errorText.trim() || printed.trim() || 'it printed nothing', shownOutput);
          const how = by ? `signal ${by}` : `exit code ${code}`;
          const { partial } = channel;
          const details = {
            skill,
            tool: tool.name,
            file,
            how,
            output,
            exit_code: code,
            ...(partial !== undefined && { partial }),
          };
          // What it started and left behind ends with it.
          fail(runtimeErrors.SCRIPT_FAILED(details));
        };

        child.once('error', error => settle(() => reject(spawnError(error, tool, invocation))));
        child.once('close', onExit);
        child.once('exit', (code, by) => {
          pipesTimer = setTimeout(() => onExit(code, by), pipesMs);
        });
        // A script need not read its parameters.
        for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
        stdout.on('data', (chunk: Buffer) => {
          outBytes += chunk.length;
          if (outBytes <= maxResultBytes) return void out.push(chunk);
          fail(runtimeErrors.SCRIPT_OUTPUT({ tool: tool.name, file, limit: maxResultBytes }));
        });
        stderr.setEncoding('utf8').on('data', errors.add);
        signal.addEventListener('abort', onAbort, { once: true });
        stdin.end(JSON.stringify(parameters));
      });

    const spawnError = (error: NodeJS.ErrnoException, tool: ToolFile, { command }: Invocation): Error =>
      runtimeErrors.TOOL_FAILED({
        skill,
        tool: tool.name,
        reason: `${basename(command)} could not be started (${error.code ?? error.message})`,
      });

    const scripts: SkillScripts = {
      environments: pythons,
      get running() {
        return ends.size;
      },
      call(tool, args, call) {
        if (closed) return Promise.reject(runtimeErrors.CLOSED({ skill }));
        if (call.signal.aborted) return Promise.reject(abortError(call.signal.reason));
        const abort = new AbortController();
        const onAbort = (): void => abort.abort(abortError(call.signal.reason));
        call.signal.addEventListener('abort', onAbort, { once: true });
        const end = run(tool, args, abort.signal, call).finally(() => {
          call.signal.removeEventListener('abort', onAbort);
          ends.delete(abort);
        });
        ends.set(abort, { tool: tool.name, end });
        return end;
      },
      async close(drainMs) {
        closed = true;
        pythons.close();
        if (ends.size > 0 && drainMs > 0)
          await atMost(Promise.allSettled([...ends.values()].map(each => each.end)), drainMs);
        const reason = 'the skill was unloaded while it ran';
        for (const [abort, { tool }] of ends) abort.abort(runtimeErrors.TERMINATED({ skill, tool, reason }));
        skills.delete(scripts);
      },
    };
    skills.add(scripts);
    return scripts;
  };

  return {
    forSkill,
    async dispose(): Promise<void> {
      await Promise.all([...skills].map(each => each.close(0)));
      await Promise.all(dying);
    },
  };
}

/** The environment of skill code, with the channel and the helpers that speak it. */
function scriptEnvironment(env: Environment): Record<string, string> {
  const given = skillEnvironment(env);
  const path = [helpers, ...(given.PYTHONPATH ? [given.PYTHONPATH] : [])].join(delimiter);
  return { ...given, SVC_CHANNEL_FD: String(channelFd), SVC_HELPERS: helpers, PYTHONPATH: path };
}

/** The trace that the call is part of, under the names of OpenTelemetry's convention for environments. */
function traceEnvironment({ meta }: SkillCall): Record<string, string> {
  const trace: Record<string, string> = traceContextOf(meta) ?? {};
  return Object.fromEntries(Object.entries(trace).map(([name, value]) => [name.toUpperCase(), value]));
}

/** At most `count` at once, the others in order; a turn given up while waiting is never taken. */
function createTurns(count: number): { take(signal: AbortSignal): Promise<() => void> } {
  const queue: (() => void)[] = [];
  let free = count;
  const release = (): void => {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return release;
      }
      await new Promise<void>((resolve, reject) => {
        const turn = (): void => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = (): void => {
          queue.splice(queue.indexOf(turn), 1);
          reject(signal.reason);
        };
        queue.push(turn);
        signal.addEventListener('abort', giveUp, { once: true });
      });
      return release;
    },
  };
}
