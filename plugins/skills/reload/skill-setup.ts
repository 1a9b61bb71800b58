/** The first half of a load, which touches nothing that serves: find the package, ask the hooks, validate, start its code. */
import type { Catalog } from '../catalog/catalog.ts';
import { skillErrors } from '../errors.ts';
import { isolationOf } from '../packages/isolation.ts';
import type { SkillPackage } from '../packages/manifest.ts';
import { Rejection } from '../packages/rejection.ts';
import { resolveToolFiles, type ToolFile } from '../packages/tool-files.ts';
import { type PythonNeeds, pythonNeeds } from '../python/needs.ts';
import type { SkillRuntime, SkillRuntimes } from '../runtime/runtime-api.ts';
import { hashAfter, hashBefore, type InputHashes } from './input-hashes.ts';
import type { SkillEvents } from './skill-events.ts';

export interface SetupDeps {
  catalog: Catalog;
  runtimes: SkillRuntimes;
  events: SkillEvents;
  skillConfig: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Started {
  /** Undefined for a skill of guidance alone. */
  runtime: SkillRuntime | undefined;
  hashes: InputHashes;
}

export interface Prepared extends Started {
  found: SkillPackage;
  files: ToolFile[];
  needs: PythonNeeds;
}

export function createSkillSetup({ catalog, runtimes, events, skillConfig }: SetupDeps) {
  /** The package of that name; throws why there is none. */
  const known = (name: string): SkillPackage => {
    const entry = catalog.get(name);
    if (entry) return entry.package;
    const skipped = catalog.skipped().find(each => each.skill_name === name);
    if (!skipped) throw skillErrors.NOT_FOUND({ skill: name.slice(0, 120) });
    const { reason_code, message, suggested_fix } = skipped;
    throw skillErrors.SKIPPED({ skill: name, reason_code, reason: `${message}.`, suggested_fix });
  };

  /** The package as its files say now. */
  const fresh = async (name: string): Promise<SkillPackage> => {
    await catalog.refreshNamed(name);
    return known(name);
  };

  /** Files of its executable tools, without those that are not there; throws SVC_SKILLS_INVALID. */
  const filesOf = async ({ name, directory, manifest }: SkillPackage): Promise<ToolFile[]> => {
    try {
      return await resolveToolFiles(directory, manifest.tools, () => undefined);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      throw skillErrors.INVALID({ skill: name, reason_code: error.reason, reason: error.message });
    }
  };

  /** What of a package runs, and what that needs. */
  const wantedBy = async (found: SkillPackage): Promise<Pick<Prepared, 'files' | 'needs'>> => {
    const files = await filesOf(found);
    return { files, needs: await pythonNeeds(found.directory, found.manifest, files) };
  };

  /** Starts the code; `inputs` are the files that the code it replaces was made from. */
  const start = async (
    { name, directory, manifest }: SkillPackage,
    { files, needs }: Pick<Prepared, 'files' | 'needs'>,
    inputs: readonly string[] = [],
  ): Promise<Started> => {
    if (files.length === 0) return { runtime: undefined, hashes: new Map() };
    const since = Date.now();
    const before = await hashBefore([...new Set([...files.map(each => each.path), ...inputs])]);
    const runtime = await runtimes.start({
      skill: name,
      directory,
      isolation: isolationOf(manifest, catalog.isTrusted(name)),
      config: Object.hasOwn(skillConfig, name) ? (skillConfig[name] ?? {}) : {},
      tools: files,
      dcc: manifest.dcc,
      needs,
    });
    return { runtime, hashes: await hashAfter(runtime.inputs, before, since) };
  };

  /** Announces the load, then validates and starts; nothing is published yet. The caller has read the package anew. */
  const prepare = async (name: string): Promise<Prepared> => {
    await events.loading(known(name));
    const found = known(name);
    const wanted = await wantedBy(found);
    return { found, ...wanted, ...(await start(found, wanted)) };
  };

  return { known, fresh, wantedBy, start, prepare };
}

/** Throws when a declared tool that runs would stop running because its file is away, perhaps only for the moment. */
export function refuseLostFile(
  before: readonly ToolFile[],
  { name, manifest }: SkillPackage,
  now: readonly ToolFile[],
): void {
  const declared = new Set(manifest.tools.map(each => each.name));
  const lost = before.find(({ name: tool }) => declared.has(tool) && !now.some(each => each.name === tool));
  if (!lost) return;
  const reason = `the file of tool "${lost.name}" is gone`;
  throw skillErrors.INVALID({ skill: name, reason_code: 'missing_source_file', reason });
}
