/** What skill authors, the server object and other plugins may use of skills. */
import type { Disposer, JsonSchema } from '../../kernel/index.ts';
import type { SkillCheck, SkillReport } from './author/validation.ts';

/** All that a TypeScript skill tool sees of the server. */
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

export type SkillScope = 'admin' | 'system' | 'user' | 'repo';
export type SkillStatus = 'loaded' | 'unloaded' | 'error' | 'pending_deps';

export interface SkillSummary {
  name: string;
  description: string;
  dcc: string;
  version: string;
  scope: SkillScope;
  tags: string[];
  search_hint: string;
  tool_count: number;
  tool_names: string[];
  loaded: boolean;
  status: SkillStatus;
  missing_dependencies?: string[];
  stage?: string;
  layer?: string;
}

/** A package that discovery refused (CONTRACT 7.6). */
export interface SkippedSkill {
  skill_name: string;
  directory_name: string;
  reason_code: string;
  /** Names no absolute path. */
  message: string;
  suggested_fix: string;
  dcc?: string;
  tags?: string[];
}

export interface SearchSkillsInput {
  query?: string;
  tags?: readonly string[];
  dcc?: string;
  scope?: SkillScope;
  limit?: number;
}

export interface LoadSkillsOptions {
  /** Activate every group (default true); with `tool_group` only that one and the default-active ones. */
  activate_groups?: boolean;
  tool_group?: string;
}

export interface LoadedTool {
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

/** What a loaded skill is made from, for plugins that publish more of a package than its tools. */
export interface LoadedSkill {
  readonly name: string;
  /** The manifest's keys in snake_case, with those of `metadata.svc`, unknown ones included. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Text of a file of the package, undefined when there is none; rejects for one outside it, too large or not UTF-8. */
  text(file: string): Promise<string | undefined>;
  /** As `text`, parsed; rejects for YAML that is broken or too deep. */
  yaml(file: string): Promise<unknown>;
  /** Files that match `pattern` (`*` and `?` within a part of the path), sorted, with `/` between the parts. */
  files(pattern: string): Promise<string[]>;
}

export interface SkillsService {
  /** Resolves when the first look for packages is over. */
  readonly discovered: Promise<void>;
  /** Scans the search paths and `extraPaths`; returns the number of valid packages found. */
  discover(extraPaths?: readonly string[], dccName?: string): Promise<number>;
  /** Loads and registers; resolves with the published tool names. Idempotent. Rejects with SVC_SKILLS_*. */
  load(name: string, options?: LoadSkillsOptions): Promise<string[]>;
  /** False when it was not loaded. */
  unload(name: string): Promise<boolean>;
  search(input?: SearchSkillsInput): SkillSummary[];
  list(status?: 'loaded' | 'unloaded'): SkillSummary[];
  skipped(): SkippedSkill[];
  isLoaded(name: string): boolean;
  loadedCount(): number;
  /** The loaded skill of that name. */
  loaded(name: string): LoadedSkill | undefined;
  /** Checks the package in a directory without executing anything, with what the other plugins check of it. */
  validate(path: string): Promise<SkillReport>;
  /** Joins `validate`, for a plugin that publishes more of a package than its tools. */
  addCheck(check: SkillCheck): Disposer;
  /** Calls `listener` with the name of a loaded skill whose files changed on disk, whether or not its code did. */
  onFilesChanged(listener: (name: string) => void): Disposer;
}

export { type Scaffolded, type ScaffoldOptions, scaffoldSkill } from './author/scaffold.ts';
export { type ScaffoldTemplate, scaffoldTemplates } from './author/scaffold-templates.ts';
export { type SkillCheck, type SkillFinding, type SkillReport, validateSkillDirectory } from './author/validation.ts';
export { type ListingConfig, listSkillPackages, type SkillPackageListing } from './catalog/package-listing.ts';

declare module 'fastify' {
  interface FastifyInstance {
    skills: SkillsService;
  }
}
