/** The skills of one server: catalogue, loader, search and watcher put together. */
import type { Kernel, Logger, Scope } from '../../kernel/index.ts';
import type { SkillCandidate, ToolStub, ToolsService } from '../tools/api.ts';
import type { SearchSkillsInput, SkillSummary, SkillsService, SkippedSkill } from './api.ts';
import { type CatalogChange, createCatalog } from './catalog/catalog.ts';
import type { RootProblem } from './catalog/scanner.ts';
import { byPrecedence, createSkillSearch } from './catalog/search.ts';
import type { SearchRoot } from './catalog/search-paths.ts';
import { createSummaries, oneLine } from './catalog/summaries.ts';
import { isInside } from './packages/package-files.ts';
import { loadedSkill } from './packages/skill-files.ts';
import { createLoader } from './reload/loader.ts';
import { createPathGatherer } from './reload/path-gatherer.ts';
import { createSkillEvents } from './reload/skill-events.ts';
import { createSkillWatcher, mayBeManifest } from './reload/watcher.ts';
import type { SkillRuntimes } from './runtime/runtime-api.ts';

export interface SkillsDeps {
  kernel: Kernel;
  scope: Scope;
  log: Logger;
  tools: ToolsService;
  runtimes: SkillRuntimes;
  /** Search roots, given the extra paths and host types of `discover` calls. */
  rootsOf: (extraPaths: readonly string[], dccs: readonly string[]) => SearchRoot[];
}

export type Skills = ReturnType<typeof createSkills>;

/** A save may delete a file before it writes the new one: a loaded skill is given up only after this. */
const removalGraceMs = 250;

export function createSkills({ kernel, scope, log, tools, runtimes, rootsOf }: SkillsDeps) {
  const { config, bus, hooks } = kernel;
  const extraPaths = new Set<string>();
  const extraDccs = new Set<string>();
  let roots = rootsOf([], []);

  const catalog = createCatalog({ roots: () => roots, isLoaded: name => loader.isLoaded(name) });
  const events = createSkillEvents({ bus, hooks, dccType: config.dcc_type, hookTimeoutMs: config.request_timeout_ms });
  const loader = createLoader({
    catalog,
    runtimes,
    tools,
    events,
    scope,
    skillConfig: config.skill_config as Record<string, Record<string, unknown>>,
    drainMs: config.request_timeout_ms,
    log,
    onChange: () => watcher.setSkills(watched()),
  });
  const search = createSkillSearch();
  const summarize = createSummaries({ catalog, loader });

  const watched = () =>
    new Map(
      loader.names().map(name => {
        const directory = loader.packageOf(name)?.directory ?? '';
        return [name, { directory, inputs: loader.inputs(name) }] as const;
      }),
    );

  const removeGone = async ({ removed }: CatalogChange): Promise<void> => {
    for (const name of removed) await loader.remove(name);
  };

  /** What `path`s that changed on disk mean for the catalogue and for loaded skills. */
  const applyPaths = async (paths: ReadonlySet<string>): Promise<void> => {
    const locations = new Set<string>();
    for (const path of paths) {
      const location = catalog.locationOf(unmark(path));
      if (location !== undefined && (mayBeManifest(path) || location === unmark(path))) locations.add(location);
    }
    let listed = false;
    for (const location of locations) {
      const final = paths.has(recheckMark + location);
      const change = await catalog.refresh(location, { final });
      // A loaded skill is listed by its tools, not by a stub.
      listed ||= [...change.added, ...change.changed, ...change.removed].some(name => !loader.isLoaded(name));
      await removeGone(change);
      const gone = catalog.list().find(each => each.location === location)?.broken?.reason_code === 'missing_skill_md';
      if (gone && !final) gatherer.addLater([recheckMark + location], removalGraceMs);
    }
    for (const name of loader.names()) {
      const directory = loader.packageOf(name)?.directory ?? '';
      const entry = catalog.get(name);
      const inputs = loader.inputs(name);
      const touched = [...paths].some(path => isInside(directory, path) || inputs.includes(path));
      if (!touched && !(entry && locations.has(entry.location))) continue;
      if (paths.has(directory) && !entry?.broken) watcher.revive(name);
      const outcome = await loader.reload(name, paths);
      if (outcome === 'failed') log.warn({ skill: name, ...loader.diagnostic(name) }, 'a skill could not be reloaded');
      events.filesChanged(name);
    }
    if (listed) tools.changed();
  };

  const gatherer = createPathGatherer({
    debounceMs: config.watch_debounce_ms,
    onPaths: applyPaths,
    onFailure: err => log.error({ err }, 'a change of skill files could not be applied'),
  });
  const watcher = createSkillWatcher({ paths: gatherer, log });

  const scan = async (): Promise<number> => {
    const before = catalog.generation;
    const change = await catalog.scan();
    await removeGone(change);
    for (const { message, path } of catalog.problems()) log.warn({ path }, message);
    for (const name of change.changed) if (loader.isLoaded(name)) await loader.reload(name);
    const differs = change.added.length + change.changed.length + change.removed.length > 0;
    if (differs) tools.changed({ silent: before === 0 });
    watcher.setRoots(catalog.usableRoots());
    return catalog.list().length;
  };

  const unloaded = () => catalog.list().filter(each => !loader.isLoaded(each.package.name));

  scope.add('skills loader', () => loader.dispose());
  scope.add('skill stubs', tools.addStubs(stubs));
  scope.add('skill candidates', tools.addCandidates(candidates));
  scope.add('skill watcher', async () => {
    await gatherer.close();
    await watcher.close();
  });

  function stubs(): ToolStub[] {
    return unloaded().map(({ package: { name, manifest } }) => ({
      name: `__skill__${name}`,
      description: oneLine(manifest.description),
    }));
  }

  function candidates(): SkillCandidate[] {
    return unloaded().map(({ package: { name, manifest }, root }) => ({
      skill_name: name,
      description: manifest.description,
      tags: manifest.tags,
      dcc: manifest.dcc,
      scope: root.scope,
      tool_count: manifest.tools.length,
      tools: manifest.tools.map(each => ({ name: each.name, description: each.description, group: each.group })),
    }));
  }

  const service: Omit<SkillsService, 'discovered' | 'validate' | 'addCheck'> = {
    discover(paths = [], dccName) {
      for (const path of paths) extraPaths.add(path);
      if (dccName) extraDccs.add(dccName);
      roots = rootsOf([...extraPaths], [...extraDccs]);
      return scan();
    },
    load: async (name, options) => (await loader.load(name, options)).tools,
    unload: async name => (await loader.unload(name)) !== undefined,
    search: (input?: SearchSkillsInput): SkillSummary[] => search.search(catalog.list(), input).map(summarize),
    list: (status): SkillSummary[] =>
      catalog
        .list()
        .sort(byPrecedence)
        .map(summarize)
        .filter(each => status === undefined || each.loaded === (status === 'loaded')),
    skipped: (): SkippedSkill[] => [...catalog.skipped()],
    isLoaded: loader.isLoaded,
    loadedCount: () => loader.names().length,
    loaded(name) {
      const found = loader.packageOf(name);
      return found && loadedSkill(found);
    },
  };

  return {
    service,
    catalog,
    loader,
    summarize,
    /** Search paths that cannot be used. */
    problems: (): readonly RootProblem[] => catalog.problems(),
    /** Watches from now on; resolves when the search roots are watched and nothing was missed meanwhile. */
    async watch(): Promise<void> {
      await watcher.start();
      const suspects = await catalog.suspects();
      for (const path of suspects) gatherer.add(path);
    },
  };
}

// A path that cannot be one: asks for a second, final look at a location.
const recheckMark = '\0again:';
const unmark = (path: string): string => (path.startsWith(recheckMark) ? path.slice(recheckMark.length) : path);
