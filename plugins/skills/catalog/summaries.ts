/** What the catalogue and the loader know of a skill, put together. */
import type { Catalog, CatalogSkill } from './catalog.ts';
import { missingDependencies } from './dependencies.ts';
import { allFlags, type SkillFlag } from './flags.ts';
import type { SkillScope } from './search-paths.ts';

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
  /** Of all that it says, tools among it: `sha256:` of the canonical JSON. */
  fingerprint: string;
  /** What a reader should know before following its words. */
  flags?: SkillFlag[];
}

/** Why a load or reload failed. */
export interface SkillDiagnostic {
  error_kind: string;
  error_message: string;
}

export interface SummaryDeps {
  catalog: Pick<Catalog, 'dependsOn'>;
  /** What is loaded, and why the last load or reload of a skill failed. */
  loader: { isLoaded(name: string): boolean; diagnostic(name: string): SkillDiagnostic | undefined };
}

export type Summarize = (skill: CatalogSkill) => SkillSummary;

/** `error`: the last load or reload failed, or the files of a loaded skill are broken; the old version may be serving. */
export function createSummaries({ catalog, loader }: SummaryDeps): Summarize {
  const dependsOn = (name: string) => catalog.dependsOn(name);

  const statusOf = ({ package: { name }, broken }: CatalogSkill, missing: readonly string[]): SkillStatus => {
    if (broken || (loader.diagnostic(name) && (loader.isLoaded(name) || missing.length === 0))) return 'error';
    if (loader.isLoaded(name)) return 'loaded';
    return missing.length > 0 ? 'pending_deps' : 'unloaded';
  };

  return skill => {
    const { name, manifest } = skill.package;
    const flags = allFlags(skill);
    const missing = manifest.depends.length > 0 ? missingDependencies(name, dependsOn) : [];
    return {
      name,
      description: manifest.description,
      dcc: manifest.dcc,
      version: manifest.version,
      scope: skill.root.scope,
      tags: [...manifest.tags],
      search_hint: manifest.search_hint || manifest.description,
      tool_count: manifest.tools.length,
      tool_names: manifest.tools.map(each => each.name),
      loaded: loader.isLoaded(name),
      status: statusOf(skill, missing),
      ...(missing.length > 0 && { missing_dependencies: missing }),
      ...(manifest.stage !== undefined && { stage: manifest.stage }),
      ...(manifest.layer !== undefined && { layer: manifest.layer }),
      fingerprint: manifest.review.fingerprint,
      ...(flags.length > 0 && { flags }),
    };
  };
}

/** The first sentence of a description, on one line. */
export function oneLine(description: string, longest = 160): string {
  const flat = description.replaceAll(/\s+/g, ' ').trim();
  const sentence = /^.{8,}?[.!?](?=\s)/.exec(flat)?.[0] ?? flat;
  return sentence.length > longest ? `${sentence.slice(0, longest - 1)}…` : sentence;
}
