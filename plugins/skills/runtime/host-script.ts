/** Python scripts that run inside the host, where that has a Python: what one is, and who runs it. */
import type { Disposer } from '../../../kernel/index.ts';
import type { ToolCall } from '../../tools/api.ts';

/** A script of a loaded skill that belongs into the host's own process. */
export interface HostScript {
  tool: string;
  /** Absolute path. */
  file: string;
  args: Record<string, unknown>;
  /** The same as a command line has them. */
  flags: readonly string[];
}

/** Runs it there. */
export type RunHostScript = (script: HostScript, call: ToolCall) => unknown;

export interface ScriptHost {
  /** Undefined where the host has no Python. */
  run(): RunHostScript | undefined;
  set(run: RunHostScript): Disposer;
}

export function createScriptHost(): ScriptHost {
  let now: RunHostScript | undefined;
  return {
    run: () => now,
    set(run) {
      now = run;
      return () => {
        if (now === run) now = undefined;
      };
    },
  };
}
