/** What the author of a TypeScript tool writes against: the one face of the server that skill code sees. */
import type { Asking } from '../../../schemas/asking-types.ts';
import type { LogLevel } from '../../../schemas/log-levels.ts';

/**
 * A question to the caller (`elicit`, `sample`, `roots`) rejects with an error that has a `code` when the caller did not
 * declare that it can be asked (`SVC_MCP_CAPABILITY_MISSING`), is no MCP client (`SVC_TOOLS_CANNOT_ASK`) or does not
 * answer what was asked (`SVC_MCP_BAD_ANSWER`). While one is open the deadline of the call stands still.
 */
export interface SkillContext extends Asking {
  readonly skill: string;
  readonly tool: string;
  /** Aborted when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
  /** `skill_config.<skill>` of the server configuration. */
  readonly config: Readonly<Record<string, unknown>>;
  /** W3C trace context that the call is part of, for requests that the tool sends; undefined where nobody traces. */
  readonly trace: Readonly<{ traceparent: string; tracestate?: string; baggage?: string }> | undefined;
  /** Tells the caller, who may have set a level, and the server's log. */
  readonly log: Readonly<Record<LogLevel, (message: string, data?: unknown) => void>>;
  /** Reports progress to the caller; `current` must grow. */
  progress(current: number, total?: number, message?: string): void;
  /**
   * Ends the caller's connection while the tool goes on: it comes back for the result after `retryMs` (1 s). Nothing
   * where it cannot.
   */
  closeStream(retryMs?: number): void;
  /** Calls another tool and returns its MCP result; `svc.*` names reach the server's internal tools. */
  call(tool: string, args?: Record<string, unknown>): Promise<SkillCallResult>;
  /** Emits `<name>` on the server's event bus. */
  emitEvent(name: string, attributes?: Record<string, unknown>): void;
}

export interface SkillCallResult {
  content: readonly Record<string, unknown>[];
  structuredContent?: unknown;
  isError?: boolean;
}

/** Default export of a TypeScript tool file. */
export type SkillTool<Args = Record<string, unknown>> = (args: Args, ctx: SkillContext) => unknown;
