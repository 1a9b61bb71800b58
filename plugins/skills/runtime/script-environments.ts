/** The Python environments of one skill's scripts: begun when it is loaded, asked for by each call, tried again when told to. */
import { delimiter } from 'node:path';
import type { MissingTool } from '../packages/rejection.ts';
import { type EnvironmentUse, environmentVariables, type PythonEnvironments } from '../python/environments.ts';
import type { RuntimeSpec } from './runtime-api.ts';
import { runtimeErrors } from './runtime-errors.ts';

interface Use extends EnvironmentUse {
  state: 'preparing' | 'ready' | 'failed';
  problem: string;
}

/** What runs a script instead of the Python of the PATH. */
export interface ScriptPython {
  command: string;
  env: Record<string, string>;
}

export type ScriptEnvironments = ReturnType<typeof openScriptEnvironments>;

export function openScriptEnvironments(
  { skill, directory, needs = {} }: RuntimeSpec,
  environments: PythonEnvironments,
  path: string,
) {
  const uses = new Map<string, Use>();
  const begin = (tool: string): void => {
    const need = needs[tool];
    if (!need) return;
    uses.get(tool)?.close();
    const use: Use = { ...environments.use(need, directory), state: 'preparing', problem: 'it is being prepared' };
    uses.set(tool, use);
    use.ready.then(
      () => {
        use.state = 'ready';
      },
      (error: Error) => Object.assign(use, { state: 'failed', problem: error.message }),
    );
  };
  for (const tool of Object.keys(needs)) begin(tool);

  const refusal = (tool: string, { problem }: Use): Error => runtimeErrors.NO_PYTHON({ skill, tool, reason: problem });

  return {
    /** What runs the script of a tool; waits while it is being prepared. Undefined for a script that needs nothing. */
    of(tool: string, signal: AbortSignal): Promise<ScriptPython> | undefined {
      const use = uses.get(tool);
      return (
        use &&
        untilAborted(use.ready, signal).then(
          made => ({ command: made.python, env: environmentVariables(made, path, delimiter) }),
          error => Promise.reject(use.state === 'failed' ? refusal(tool, use) : error),
        )
      );
    },
    /** Settles when nothing is being prepared. */
    prepared: async (): Promise<void> => {
      await Promise.allSettled([...uses.values()].map(each => each.ready));
    },
    /** Tools whose environment is not there. */
    problems(): MissingTool[] {
      return [...uses].flatMap(([name, use]) =>
        use.state === 'ready'
          ? []
          : [
              {
                name,
                reason_code: `python_${use.state}`,
                message: `tool "${name}": its Python environment is not ready: ${use.problem}`,
              },
            ],
      );
    },
    /** Tries again what failed. */
    retry(): void {
      for (const [tool, { state }] of uses) if (state === 'failed') begin(tool);
    },
    close(): void {
      for (const use of uses.values()) use.close();
    },
  };
}

/** The promise, or the reason of the signal when that comes first. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
