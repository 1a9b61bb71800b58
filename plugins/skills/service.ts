/** The skills of one server: catalogue, loader, search and watcher put together. */
import { type Kernel, type Logger, type Scope, serverErrors } from '../../kernel/index.ts';
import type { ApprovalsService } from '../policy/approvals/api.ts';
import type { SearchService } from '../search/api.ts';
import type { ToolsService } from '../tools/api.ts';
import type { SearchSkillsInput, SkillSummary, SkillsService, SkippedSkill } from './api.ts';
import { judgeSkills } from './catalog/approval.ts';
import { createCatalog } from './catalog/catalog.ts';
import type { RootProblem } from './catalog/scanner.ts';
import { byPrecedence, createSkillSearch } from './catalog/search.ts';
import type { SearchRoot } from './catalog/search-paths.ts';
import { createSummaries } from './catalog/summaries.ts';
import { candidateOf, stubOf } from './catalog/unloaded.ts';
import type { Settings } from './config.ts';
import { exposedPlaces } from './packages/exposure.ts';
import { packageFolder } from './packages/package-contents.ts';
import { loadedSkill } from './packages/skill-files.ts';
import { followAccepted } from './reload/accepted.ts';
import { createDiskChanges } from './reload/disk-changes.ts';
import { createLoader } from './reload/loader.ts';
import { createPendingReloads } from './reload/pending-reloads.ts';
import { createSkillEvents } from './reload/skill-events.ts';
import type { ScriptHost } from './runtime/host-script.ts';
import type { SkillRuntimes } from './runtime/runtime-api.ts';

export interface SkillsDeps {
  kernel: Kernel;
  settings: Settings;
  scope: Scope;
  log: Logger;
  tools: ToolsService;
  runtimes: SkillRuntimes;
  engine: Pick<SearchService, 'ranked' | 'filter'>;
  scriptHost: ScriptHost['run'];
  approvals: ApprovalsService | undefined;
  /** Search roots, given the extra paths and host types of `discover` calls. */
  rootsOf: (extraPaths: readonly string[], dccs: readonly string[]) => SearchRoot[];
}

export type Skills = ReturnType<typeof createSkills>;

export function createSkills(deps: SkillsDeps) {
  const { kernel, settings, scope, log, tools, runtimes, rootsOf, engine, approvals, scriptHost } = deps;
  const { config, bus, hooks } = kernel;
  const extraPaths = new Set<string>();
  const extraDccs = new Set<string>();
  let roots = rootsOf([], []);

  const catalog = createCatalog({
    roots: () => roots,
    isLoaded: name => loader.isLoaded(name),
    judge: approvals && judgeSkills(approvals),
    trusted: new Set(settings.trusted_skill_scopes),
    onChange: change => bus.emit('internal.skill.packages_changed', { attributes: { ...change } }),
  });
  const hookTimeoutMs = config.request_timeout_ms;
  const events = createSkillEvents({ bus, hooks, dccType: settings.dcc_type, hookTimeoutMs });
  const pending = createPendingReloads();
  const loader = createLoader({
    ...{ catalog, runtimes, tools, events, scope, log, pending, scriptHost },
    skillConfig: settings.skill_config as Record<string, Record<string, unknown>>,
    drainMs: config.request_timeout_ms,
    // Half of what its caller waits.
    preparedMs: config.request_timeout_ms / 2,
    onChange: () => disk.followLoaded(),
  });
  const search = createSkillSearch(engine);
  const summarize = createSummaries({ catalog, loader });

  const disk = createDiskChanges({
    ...{ catalog, loader, events, log, pending },
    debounceMs: settings.watch_debounce_ms,
    onListed: () => tools.changed(),
  });

  const scan = async (): Promise<number> => {
    const before = catalog.generation;
    const change = await catalog.scan();
    await disk.removeGone(change);
    for (const { message, path } of catalog.problems()) log.warn({ path }, message);
    for (const name of change.changed) if (loader.isLoaded(name)) await loader.reload(name);
    const differs = change.added.length + change.changed.length + change.removed.length > 0;
    if (differs) tools.changed({ silent: before === 0 });
    disk.setRoots(catalog.usableRoots());
    return catalog.list().length;
  };

  const unloaded = () => catalog.list().filter(each => !loader.isLoaded(each.package.name));

  scope.add('accepted skills', followAccepted({ bus, catalog, loader, tools, log }));
  scope.add('skills loader', () => loader.dispose());
  scope.add(
    'skill stubs',
    tools.addStubs(() => unloaded().map(stubOf)),
  );
  scope.add(
    'skill candidates',
    tools.addCandidates(() => unloaded().map(candidateOf)),
  );
  scope.add('skill watcher', disk.close);

  const service: Omit<SkillsService, 'discovered' | 'validate' | 'addCheck' | 'setScriptHost'> = {
    async discover(paths = [], dccName) {
      if (!Array.isArray(paths) || !paths.every(isPath)) {
        throw serverErrors.INVALID_ARGUMENT({ problem: 'the paths must be a list of directories', field: 'paths' });
      }
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
    exposed: () => exposedPlaces(catalog.list().map(each => each.package.directory)),
    packages: () => catalog.list().map(each => packageFolder(each.package)),
    package(name) {
      const found = catalog.get(name);
      return found && packageFolder(found.package);
    },
  };

  return {
    service,
    catalog,
    loader,
    summarize,
    problems: (): readonly RootProblem[] => catalog.problems(),
    watch: disk.watch,
  };
}

const mostPath = 4096;

const isPath = (path: unknown): boolean =>
  typeof path === 'string' && path !== '' && path.length <= mostPath && !path.includes('\0');
