/** Where the module tools of a package run, as far as that is not left to the server. */
import type { SkillManifest } from './manifest.ts';

export type Isolation = 'worker' | 'process';

/**
 * A tool that must run in the host's own process needs a thread there. A package that is not trusted has no say: its code
 * runs in a process of its own, whatever it asks for.
 */
export function isolationOf(
  { isolation, tools }: Pick<SkillManifest, 'isolation' | 'tools'>,
  trusted: boolean,
): Isolation | undefined {
  if (!trusted) return 'process';
  return isolation ?? (tools.some(each => each.requires_in_process) ? 'worker' : undefined);
}
