/**
 * Watches the search roots (packages that come, go or change) and the files that loaded skills are made of, and
 * reports paths. What they mean is not known here.
 */
import type { Stats } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import type { Logger } from '../../../kernel/index.ts';
import { isInside } from '../packages/package-files.ts';
import { isRequirementsFile } from '../python/needs.ts';
import type { PathGatherer } from './path-gatherer.ts';

export interface WatcherDeps {
  paths: Pick<PathGatherer, 'add' | 'addLater'>;
  /** Told at once of a change below a loaded skill, or of a file that its code is made of. */
  touched(skill: string, path: string): void;
  log: Pick<Logger, 'warn'>;
}

export interface WatchedSkill {
  directory: string;
  inputs: readonly string[];
}

interface SkillWatch {
  watcher: FSWatcher;
  directory: string;
  inputs: Set<string>;
  folders: string[];
}

/** A file may change between its being read and its being watched: new ones are looked at once more after this. */
const settleMs = 100;
const ignoredNames = new Set(['node_modules', '__pycache__', 'assets']);
const watchedExtensions = /^\.(?:[cm]?[jt]sx?|json|ya?ml|md|pyw?|sh|bash|bat|cmd|ps1|mel|lua|hscript|maxscript)$/;
/** More files and folders of one skill are not watched: a package need not be what its author thinks it is. */
const mostWatched = 10_000;
// Saves are debounced by the receiver; the library's own waiting for renames would only add to it.
const options = { ignoreInitial: true, atomic: false } as const;
/** A link is no way on: what code is made of is known by its real path, and links may lead in circles. */
const withoutLinks = { ...options, followSymlinks: false } as const;

/** True for a file that a manifest may consist of, and for what may be a directory. */
export const mayBeManifest = (path: string): boolean => ['', '.md', '.yaml', '.yml'].includes(extname(path));

export function createSkillWatcher({ paths, touched, log }: WatcherDeps) {
  const watches = new Map<string, SkillWatch>();
  const closing = new Set<Promise<void>>();
  let roots: readonly string[] = [];
  let skills: ReadonlyMap<string, WatchedSkill> = new Map();
  let watch: typeof import('chokidar').watch | undefined;
  let packages: FSWatcher | undefined;
  let closed = false;

  /** `skips` is the watcher's own filter. */
  const listen = (
    watcher: FSWatcher,
    skips: (path: string, isFile: boolean | undefined) => boolean,
    tell: (path: string) => void = paths.add,
  ): FSWatcher =>
    watcher
      .on('all', (_, path) => tell(path))
      // The library drops a second change within 50 ms; the system's own events tell of every one.
      .on('raw', (_, name: string | null, details) => {
        const { watchedPath } = details as { watchedPath: string };
        for (const path of name === null ? [] : [watchedPath, join(watchedPath, name)]) {
          if (basename(path) === name && !skips(path, true)) tell(path);
        }
      })
      .on('error', err => log.warn({ err }, 'watching skill files failed'));

  const end = (watcher: FSWatcher): void => {
    const done: Promise<void> = watcher.close().finally(() => closing.delete(done));
    closing.add(done);
  };

  const watchRoots = (): FSWatcher | undefined => {
    const skips = (path: string, isFile: boolean | undefined) => skipsPackagePath(roots, path, isFile);
    return watch && listen(watch([...roots], { ...options, depth: 1, ignored: asMatcher(skips) }), skips);
  };

  const watchSkill = (name: string, { directory, inputs }: WatchedSkill): void => {
    if (!watch) return;
    const known = { directory, inputs: new Set(inputs), folders: foldersOf(directory, inputs) } as SkillWatch;
    const skips = (path: string, isFile: boolean | undefined) => skipsSourcePath(known, path, isFile);
    const full = () => log.warn({ skill: name, limit: mostWatched }, 'a skill has more files than are watched');
    const ignored = asMatcher(bounded(skips, full));
    const tell = (path: string): void => {
      touched(name, path);
      paths.add(path);
    };
    known.watcher = listen(watch(known.folders, { ...withoutLinks, ignored }), skips, tell);
    watches.set(name, known);
    // Nobody saw what happened between the start of the code and now.
    known.watcher.once('ready', () => paths.addLater([...known.inputs], settleMs));
  };

  const unwatchSkill = (name: string): void => {
    const known = watches.get(name);
    if (known) end(known.watcher);
    watches.delete(name);
  };

  const update = (known: SkillWatch, inputs: readonly string[]): void => {
    const before = new Set(known.folders);
    const unseen = inputs.filter(each => !known.inputs.has(each));
    known.inputs = new Set(inputs);
    known.folders = foldersOf(known.directory, inputs);
    const folders = known.folders.filter(each => !before.has(each));
    if (folders.length > 0) known.watcher.add(folders);
    if (unseen.length > 0) paths.addLater(unseen, settleMs);
  };

  const applySkills = (): void => {
    if (!watch || closed) return;
    for (const [name, known] of watches) {
      if (skills.get(name)?.directory !== known.directory) unwatchSkill(name);
    }
    for (const [name, wanted] of skills) {
      const known = watches.get(name);
      if (known) update(known, wanted.inputs);
      else watchSkill(name, wanted);
    }
  };

  return {
    /** Starts watching; resolves when the search roots are watched. */
    async start(): Promise<void> {
      ({ watch } = await import('chokidar'));
      if (closed) return;
      const started = watchRoots();
      packages = started;
      applySkills();
      if (roots.length > 0) await new Promise<void>(resolve => started?.once('ready', resolve));
    },

    /** Replaces the watched search roots. Only those that exist can be watched. */
    setRoots(wanted: readonly string[]): void {
      if (closed || (wanted.length === roots.length && wanted.every(each => roots.includes(each)))) return;
      roots = [...wanted];
      if (!packages) return;
      end(packages);
      packages = watchRoots();
    },

    setSkills(wanted: ReadonlyMap<string, WatchedSkill>): void {
      skills = wanted;
      applySkills();
    },

    /** Watches a skill anew: its directory was deleted and is there again. */
    revive(name: string): void {
      unwatchSkill(name);
      applySkills();
    },

    async close(): Promise<void> {
      closed = true;
      for (const name of [...watches.keys()]) unwatchSkill(name);
      if (packages) end(packages);
      await Promise.all([...closing]);
    },
  };
}

const asMatcher =
  (skips: (path: string, isFile: boolean | undefined) => boolean) =>
  (path: string, stats?: Stats): boolean =>
    skips(path, stats?.isFile());

/** The same filter until it has let `mostWatched` paths through; then it lets no other one through, and `full` is told once. */
function bounded(skips: (path: string, isFile: boolean | undefined) => boolean, full: () => void) {
  const passed = new Set<string>();
  let told = false;
  return (path: string, isFile: boolean | undefined): boolean => {
    if (passed.has(path)) return false;
    if (skips(path, isFile)) return true;
    if (passed.size >= mostWatched) {
      if (!told) full();
      told = true;
      return true;
    }
    if (isFile !== undefined) passed.add(path);
    return false;
  };
}

/** Below a root only its packages' directories and their YAML and Markdown files, nothing deeper. Roots may hold others. */
const skipsPackagePath = (roots: readonly string[], path: string, isFile: boolean | undefined): boolean =>
  roots.every(root => !isInside(root, path) || skipsBelow(root, path, isFile));

function skipsBelow(root: string, path: string, isFile: boolean | undefined): boolean {
  const parts = relative(root, path).split(sep).filter(Boolean);
  if (parts.some(isHidden) || parts.length > 2) return true;
  if (isFile === undefined) return false;
  return isFile ? extname(path) === '' || !mayBeManifest(path) : parts.length > 1;
}

/** Below a skill's directory code and data, not assets; elsewhere only the very files that its code was made from. */
function skipsSourcePath(skill: SkillWatch, path: string, isFile: boolean | undefined): boolean {
  if (skill.inputs.has(path)) return false;
  if (!isInside(skill.directory, path)) return !skill.folders.includes(path);
  if (relative(skill.directory, path).split(sep).some(isHidden)) return true;
  return isFile === true && !watchedExtensions.test(extname(path).toLowerCase()) && !isRequirementsFile(basename(path));
}

const foldersOf = (directory: string, inputs: readonly string[]): string[] => [
  directory,
  ...new Set(inputs.filter(each => !isInside(directory, each)).map(each => dirname(each))),
];

const isHidden = (name: string): boolean => name.startsWith('.') || ignoredNames.has(name);
