/** What skill authors, the server object and other plugins may use of skills. */
import type { Disposer } from '../../kernel/index.ts';
import type { SkillCheck, SkillReport } from './author/validation.ts';
import type { SearchSkillsInput } from './catalog/search.ts';
import type { SkillSummary } from './catalog/summaries.ts';
import type { ExposedPlace } from './packages/exposure.ts';
import type { PackageFolder } from './packages/package-contents.ts';
import type { SkippedSkill } from './packages/rejection.ts';
import type { LoadedSkill } from './packages/skill-files.ts';
import type { LoadSkillsOptions } from './reload/loader.ts';
import type { RunHostScript } from './runtime/host-script.ts';

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
  /** What of every valid package others than its user may write. */
  exposed(): Promise<ExposedPlace[]>;
  /** Every valid package, loaded or not, as others may read it. */
  packages(): PackageFolder[];
  package(name: string): PackageFolder | undefined;
  /** Checks the package in a directory without executing anything, with what the other plugins check of it. */
  validate(path: string): Promise<SkillReport>;
  /** Joins `validate`, for a plugin that publishes more of a package than its tools. */
  addCheck(check: SkillCheck): Disposer;
  /** From now on Python scripts that must run in the host, or on its main thread, run there. */
  setScriptHost(run: RunHostScript): Disposer;
}

export { type Scaffolded, type ScaffoldOptions, scaffoldSkill } from './author/scaffold.ts';
export { type ScaffoldTemplate, scaffoldTemplates } from './author/scaffold-templates.ts';
export { type SkillCheck, type SkillReport, validateSkillDirectory } from './author/validation.ts';
export { type ListingConfig, listSkillPackages, type SkillPackageListing } from './catalog/package-listing.ts';
export type { SearchSkillsInput } from './catalog/search.ts';
export type { SkillScope } from './catalog/search-paths.ts';
export type { SkillStatus, SkillSummary } from './catalog/summaries.ts';
export { type ExposedPlace, exposedPlaces } from './packages/exposure.ts';
export type { PackageChild, PackageContents, PackageFile, PackageFolder } from './packages/package-contents.ts';
export type { SkillFinding, SkippedSkill } from './packages/rejection.ts';
export type { LoadedSkill } from './packages/skill-files.ts';
export type { LoadSkillsOptions } from './reload/loader.ts';
export type { HostScript, RunHostScript } from './runtime/host-script.ts';
export type { SkillCallResult, SkillContext, SkillTool } from './runtime/skill-context.ts';

declare module 'fastify' {
  interface FastifyInstance {
    skills: SkillsService;
  }
}
