/** The seam between the skill loader (what is loaded) and the runtimes (where its code runs). */

import type { ToolCall } from '../../tools/api.ts';
import type { Isolation } from '../packages/isolation.ts';
import type { SkillPackage } from '../packages/manifest.ts';
import type { MissingTool } from '../packages/rejection.ts';
import type { ToolFile } from '../packages/tool-files.ts';
import type { PythonNeeds } from '../python/needs.ts';

export interface RuntimeSpec {
  skill: string;
  /** Absolute path of the skill's directory: working directory of scripts. */
  directory: string;
  /** `worker`: a thread per skill. `process`: a child process per skill. Undefined: what is usual here. */
  isolation: Isolation | undefined;
  /** Handed to module tools as `ctx.config`. */
  config: Readonly<Record<string, unknown>>;
  tools: readonly ToolFile[];
  dcc: string;
  /** What the Python scripts need, by tool. */
  needs?: PythonNeeds;
}

/** What the code of a skill may use of the call that it serves. */
export type SkillCall = Pick<
  ToolCall,
  'signal' | 'onAbort' | 'graceMs' | 'job' | 'meta' | 'progress' | 'log' | 'ask' | 'closeStream'
>;

export interface SkillRuntime {
  /** Absolute paths of every file the code was made from, transitive modules included: a change of one makes it stale. */
  readonly inputs: readonly string[];
  /** Content hash of the code: equal hashes need no reload. */
  readonly hash: string;
  readonly running: number;
  /** Tools that cannot run because of what their scripts need; those that are being prepared are among them. */
  problems(): readonly MissingTool[];
  /** Settles when nothing that scripts need is being prepared. */
  prepared(): Promise<void>;
  /** Tries again to prepare what failed. */
  retry(): void;
  /** Runs a tool; resolves with a ToolText (module) or the parsed stdout (script), rejects with SVC_SKILLS_*. */
  call(tool: string, args: Record<string, unknown>, call: SkillCall): Promise<unknown>;
  /** Waits up to `drainMs` for calls in flight, then ends the thread or process. Idempotent. */
  close(drainMs: number): Promise<void>;
}

/** What the code of a skill may ask of the server through `ctx`. */
export interface RuntimeServices {
  /** `caller` is the call whose code makes this one: its job, whom it can ask, and the trace that it is part of. */
  callTool(
    skill: string,
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    caller: Pick<SkillCall, 'job' | 'ask' | 'meta'> | undefined,
  ): Promise<unknown>;
  emitEvent(skill: string, name: string, attributes: Record<string, unknown>): void;
}

export interface SkillRuntimes {
  /** Interpreters of its own that run the scripts of a package now; none where they have to be made. */
  pythons(found: SkillPackage): Promise<readonly string[]>;
  /** Bundles the module tools and starts them; rejects with SVC_SKILLS_* and leaves nothing behind when that fails. */
  start(spec: RuntimeSpec): Promise<SkillRuntime>;
  /** Ends every runtime and the warm spare. */
  dispose(): Promise<void>;
}
