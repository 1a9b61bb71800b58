/** What a server with this configuration would offer, without one: for the command line. Executes nothing. */
import { join } from 'node:path';
import { type Environment, packageRoot } from '../../../kernel/index.ts';
import type { SkippedSkill } from '../packages/rejection.ts';
import { createCatalog } from './catalog.ts';
import { withAliases } from './environment.ts';
import type { RootProblem } from './scanner.ts';
import { byPrecedence } from './search.ts';
import { type SearchRoot, searchRoots, standaloneDcc } from './search-paths.ts';
import { createSummaries, type SkillSummary } from './summaries.ts';

export interface SkillPackageListing {
  skills: SkillSummary[];
  skipped: SkippedSkill[];
  problems: RootProblem[];
  /** Where the skills lie. */
  directories: string[];
}

export interface ListingConfig {
  readonly skill_paths: readonly string[];
  readonly bundled_skills: boolean;
  readonly dcc_type: string | null;
}

/** The search roots of a configuration, given what `discover` calls added. */
export function configuredRoots(
  config: ListingConfig,
  env: Environment,
  extraPaths: readonly string[] = [],
  extraDccs: readonly string[] = [],
): SearchRoot[] {
  return searchRoots({
    skillPaths: config.skill_paths,
    extraPaths,
    bundled: config.bundled_skills ? join(packageRoot, 'skills') : undefined,
    dccs: [...new Set([config.dcc_type ?? standaloneDcc(env), ...extraDccs])],
    env,
  });
}

export async function listSkillPackages(config: ListingConfig, env: Environment): Promise<SkillPackageListing> {
  const roots = configuredRoots(config, withAliases(env));
  const catalog = createCatalog({ roots: () => roots, isLoaded: () => false });
  await catalog.scan();
  const summarize = createSummaries({
    catalog,
    loader: { isLoaded: () => false, diagnostic: () => undefined },
  });
  return {
    skills: catalog.list().sort(byPrecedence).map(summarize),
    skipped: [...catalog.skipped()],
    problems: [...catalog.problems()],
    directories: catalog.list().map(each => each.package.directory),
  };
}
