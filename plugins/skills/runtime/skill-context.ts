/** What the author of a TypeScript tool writes against: the one face of the server that skill code sees. */

export interface SkillContext {
  readonly skill: string;
  readonly tool: string;
  /** Aborted when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
  /** `skill_config.<skill>` of the server configuration. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly log: Readonly<Record<'debug' | 'info' | 'warning' | 'error', (message: string, data?: unknown) => void>>;
  /** Reports progress to the caller; `current` must grow. */
  progress(current: number, total?: number, message?: string): void;
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
