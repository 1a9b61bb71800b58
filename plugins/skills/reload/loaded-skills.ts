/** The skills that are loaded: of each the running code, what it published, and the scope that ends both. */
import type { Logger, Scope } from '../../../kernel/index.ts';
import type { ToolsService } from '../../tools/api.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { SkillPackage } from '../packages/manifest.ts';
import { type Finding, finding, type MissingTool } from '../packages/rejection.ts';
import type { ToolFile } from '../packages/tool-files.ts';
import type { SkillRuntime } from '../runtime/runtime-api.ts';
import type { PendingReloads } from './pending-reloads.ts';
import { type RuntimeSlot, toolEntries, toolGroups } from './publication.ts';
import type { Prepared } from './skill-setup.ts';

export interface LoadedSkillsDeps {
  catalog: Catalog;
  tools: Pick<ToolsService, 'publish' | 'list'>;
  /** Each loaded skill gets a child of it. */
  scope: Scope;
  /** How long calls in flight may finish on code that was replaced or unloaded. */
  drainMs: number;
  log: Pick<Logger, 'error'>;
  pending: Pick<PendingReloads, 'of'>;
  /** Whether the newest files of a loaded skill could not be loaded. */
  failed(name: string): boolean;
  scriptHost: RuntimeSlot['scriptHost'];
}

const withoutSchema = {
  input_schema: 'its arguments are not checked',
  output_schema: 'its results are not checked',
} as const;

export interface LoadedEntry extends Omit<Prepared, 'runtime'> {
  slot: RuntimeSlot;
  unpublish: () => void | Promise<void>;
  scope: Scope;
}

export function createLoadedSkills({
  catalog,
  tools,
  scope,
  drainMs,
  log,
  pending,
  failed,
  scriptHost,
}: LoadedSkillsDeps) {
  const entries = new Map<string, LoadedEntry>();
  const warnings = new Map<string, readonly Finding[]>();
  /** What was told of each as not approved. */
  const published = new Map<string, ReadonlySet<string> | undefined>();
  const closing = new Set<Promise<void>>();
  let closed = false;

  /** Lets go of running code, which may drain. */
  const retire = (runtime: SkillRuntime | undefined, ms = drainMs): Promise<void> => {
    if (!runtime) return Promise.resolve();
    const done: Promise<void> = runtime
      .close(ms)
      .catch((err: unknown) => log.error({ err }, 'the code of a skill did not end'))
      .finally(() => closing.delete(done));
    closing.add(done);
    return done;
  };

  const standing = (name: string) => ({ trusted: catalog.isTrusted(name), changed: catalog.get(name)?.changed });

  const publish = (found: SkillPackage, files: readonly ToolFile[], slot: RuntimeSlot) => {
    const problems: Finding[] = [];
    const unpublish = tools.publish(`skill:${found.name}`, toolEntries(found, files, slot, standing(found.name)), {
      source: 'skill',
      skill_name: found.name,
      groups: toolGroups(found),
      repair: (entry, field, error) => {
        problems.push(finding('invalid_tool_schema', `${error.message}; ${withoutSchema[field]}`));
        const { [field]: _, ...definition } = entry.definition;
        return { ...entry, definition };
      },
    });
    warnings.set(found.name, problems);
    published.set(found.name, catalog.get(found.name)?.changed);
    return unpublish;
  };

  /** Its version, the digest of its code, and whether that is older than what was saved. */
  const answering = (name: string): Readonly<Record<string, unknown>> => {
    const { found, slot } = entries.get(name) ?? {};
    const stale = failed(name) || pending.of(name) !== undefined;
    return { name, version: found?.manifest.version, digest: slot?.runtime?.hash, ...(stale && { stale }) };
  };

  const end = async (name: string): Promise<void> => {
    const entry = entries.get(name);
    entries.delete(name);
    warnings.delete(name);
    published.delete(name);
    await entry?.scope.dispose();
  };

  const problems = (name: string): readonly MissingTool[] => entries.get(name)?.slot.runtime?.problems() ?? [];

  return {
    problems,
    get: (name: string): LoadedEntry | undefined => entries.get(name),
    has: (name: string): boolean => entries.has(name),
    names: (): string[] => [...entries.keys()],
    /** Published names of its tools, without those whose file is not there. */
    toolNames(name: string): string[] {
      const { found, files } = entries.get(name) ?? {};
      const running = new Set(files?.map(each => each.name));
      const lost = found?.manifest.tools.filter(each => each.source_file !== '' && !running.has(each.name)) ?? [];
      const without = new Set(lost.map(each => each.name));
      return tools
        .list()
        .filter(each => each.owner === `skill:${name}` && !without.has(each.action))
        .map(each => each.name);
    },
    warnings: (name: string): readonly Finding[] => warnings.get(name) ?? [],
    dependentsOf: (name: string): string[] =>
      [...entries.values()]
        .filter(each => each.found.manifest.depends.some(other => catalog.nameOf(other) === name))
        .map(each => each.found.name),
    /** Whether what it published is what the package says now, and what there is to say of that. */
    says({ name, fingerprint, directory }: SkillPackage): boolean {
      const before = entries.get(name)?.found;
      const same = fingerprint === before?.fingerprint && directory === before.directory;
      return same && published.get(name) === catalog.get(name)?.changed;
    },
    retire,
    publish,
    end,

    /** Publishes what is prepared: from here on it serves. */
    add({ found, files, needs, runtime, hashes }: Prepared): void {
      const { name } = found;
      const slot: RuntimeSlot = {
        runtime,
        pending: () => pending.of(name),
        answering: () => answering(name),
        scriptHost,
      };
      const unpublish = publish(found, files, slot);
      const own = scope.child(`skill:${found.name}`);
      const entry: LoadedEntry = { found, files, needs, hashes, slot, unpublish, scope: own };
      own.add('runtime', () => {
        const { runtime: last } = slot;
        slot.runtime = undefined;
        // An idle runtime ends now; calls in flight are not waited for here, since one may be the unload's own caller.
        const ended = retire(last, closed ? 0 : drainMs);
        return closed || (last?.running ?? 0) === 0 ? ended : undefined;
      });
      own.add('tools', () => entry.unpublish());
      entries.set(found.name, entry);
    },

    /** Ends everything that is loaded; calls in flight are given up. */
    async close(): Promise<void> {
      closed = true;
      for (const name of [...entries.keys()].reverse()) await end(name);
    },
    /** Settles when no code that was let go runs any more. */
    idle: async (): Promise<void> => {
      await Promise.all([...closing]);
    },
  };
}
