/** What changes on disk mean for the catalogue and for loaded skills. */
import { basename, dirname } from 'node:path';
import type { Logger } from '../../../kernel/index.ts';
import type { Catalog, CatalogChange } from '../catalog/catalog.ts';
import { isInside } from '../packages/package-files.ts';
import { isRequirementsFile } from '../python/needs.ts';
import type { Loader } from './loader.ts';
import { createPathGatherer } from './path-gatherer.ts';
import type { PendingReloads } from './pending-reloads.ts';
import type { SkillEvents } from './skill-events.ts';
import { createSkillWatcher, mayBeManifest } from './watcher.ts';

export interface DiskChangesDeps {
  catalog: Catalog;
  loader: Loader;
  events: Pick<SkillEvents, 'filesChanged'>;
  log: Logger;
  debounceMs: number;
  pending: PendingReloads;
  /** Told when the list of skills that are not loaded says something else. */
  onListed(): void;
}

/** A save may delete a file before it writes the new one: a loaded skill is given up only after this. */
const removalGraceMs = 250;

export function createDiskChanges({ catalog, loader, events, log, debounceMs, pending, onListed }: DiskChangesDeps) {
  const removeGone = async ({ removed }: CatalogChange): Promise<void> => {
    for (const name of removed) await loader.remove(name);
  };

  /** Reads changed packages again; tells where it looked, and whether the list of what is not loaded changed. */
  const refresh = async (paths: ReadonlySet<string>) => {
    const locations = new Set<string>();
    for (const path of paths) {
      const location = catalog.locationOf(unmark(path));
      if (location !== undefined && (mayBeManifest(path) || location === unmark(path))) locations.add(location);
    }
    const changed = new Set<string>();
    let listed = false;
    let appeared = false;
    for (const location of locations) {
      const final = paths.has(recheckMark + location);
      const change = await catalog.refresh(location, { final });
      // A loaded skill is listed by its tools, not by a stub.
      listed ||= [...change.added, ...change.changed, ...change.removed].some(name => !loader.isLoaded(name));
      appeared ||= change.added.length > 0;
      for (const name of change.changed) changed.add(name);
      await removeGone(change);
      const gone = catalog.list().find(each => each.location === location)?.broken?.reason_code === 'missing_skill_md';
      if (gone && !final) gatherer.addLater([recheckMark + location], removalGraceMs);
    }
    return { locations, changed, listed, appeared };
  };

  const reload = async (name: string, paths: ReadonlySet<string>, again: boolean): Promise<void> => {
    const directory = loader.packageOf(name)?.directory ?? '';
    const inputs = loader.inputs(name);
    const touched = [...paths].some(path => isInside(directory, path) || inputs.includes(path));
    if (!touched && !again) return;
    if (paths.has(directory) && !catalog.get(name)?.broken) watcher.revive(name);
    const outcome = await loader.reload(name, paths);
    if (outcome === 'failed') log.warn({ skill: name, ...loader.diagnostic(name) }, 'a skill could not be reloaded');
    events.filesChanged(name);
  };

  const gatherer = createPathGatherer({
    debounceMs,
    async onPaths(paths) {
      const applied = pending.begin();
      try {
        const { locations, changed, listed, appeared } = await refresh(paths);
        for (const name of loader.names()) {
          await reload(name, paths, changed.has(name) || locations.has(catalog.get(name)?.location ?? ''));
        }
        // What a broken skill missed may have come.
        for (const name of appeared ? loader.names() : []) if (loader.diagnostic(name)) await loader.reload(name);
        if (listed) onListed();
      } finally {
        applied();
      }
    },
    onFailure: err => log.error({ err }, 'a change of skill files could not be applied'),
  });
  const touched = (name: string, path: string): void => {
    const ours = dirname(path) === loader.packageOf(name)?.directory && /\.(?:md|ya?ml)$/.test(path);
    if (ours || isRequirementsFile(basename(path)) || loader.inputs(name).includes(path)) pending.note(name);
  };
  const watcher = createSkillWatcher({ paths: gatherer, touched, log });

  return {
    removeGone,
    setRoots: watcher.setRoots,
    followLoaded(): void {
      const watched = loader.names().map(name => {
        const directory = loader.packageOf(name)?.directory ?? '';
        return [name, { directory, inputs: loader.inputs(name) }] as const;
      });
      watcher.setSkills(new Map(watched));
    },
    /** Watches from now on; resolves when the search roots are watched and nothing was missed meanwhile. */
    async watch(): Promise<void> {
      await watcher.start();
      for (const path of await catalog.suspects()) gatherer.add(path);
    },
    async close(): Promise<void> {
      pending.close();
      await gatherer.close();
      await watcher.close();
    },
  };
}

// A path that cannot be one: asks for a second, final look at a location.
const recheckMark = '\0again:';
const unmark = (path: string): string => (path.startsWith(recheckMark) ? path.slice(recheckMark.length) : path);
