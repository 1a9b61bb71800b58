/** Where the module tools of a package run, as far as the package says so itself. */
import type { SkillManifest } from './manifest.ts';

export type Isolation = 'worker' | 'process';

/** A tool that must run in the host's own process needs a thread there. */
export const isolationOf = ({ isolation, tools }: Pick<SkillManifest, 'isolation' | 'tools'>): Isolation | undefined =>
  isolation ?? (tools.some(each => each.requires_in_process) ? 'worker' : undefined);
