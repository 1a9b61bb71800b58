/** Looks through the search roots for packages: which directories there are, not what they say. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { exists, isMissing } from '../packages/package-files.ts';
import { isBroken } from '../packages/script-tools.ts';
import type { SearchRoot } from './search-paths.ts';

/** A search path that cannot be used. */
export interface RootProblem {
  path: string;
  source: SearchRoot['source'];
  message: string;
}

export interface RootListing {
  locations: string[];
  /** The root is there and can be read. */
  usable: boolean;
  problem?: RootProblem;
}

const maxEntries = 10_000;
/** Of what lies below the children of a root. */
const maxFolders = 2000;
const maxNested = 1000;
const maxDepth = 6;
/** Where no package of a repository lies. */
const notSearched = new Set('__pycache__ site-packages venv env dist build target test tests'.split(' '));
/** Their presence makes a directory without SKILL.md a package that somebody forgot to finish. */
const packageMarks = ['tools.yaml', 'groups.yaml', 'scripts'];

/**
 * Directories of `root` that are packages or were meant to be: the root itself, its children, and below a child that is
 * none what has a SKILL.md, so that a repository can be a search path.
 */
export async function listPackages(root: SearchRoot): Promise<RootListing> {
  try {
    if (await exists(join(root.path, 'SKILL.md'))) return { locations: [root.path], usable: true };
    const entries = await readdir(root.path, { withFileTypes: true });
    const names = entries
      .filter(each => (each.isDirectory() || each.isSymbolicLink()) && isPackageName(each.name))
      .map(each => ({ name: each.name, link: each.isSymbolicLink() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const budget = { folders: maxFolders, packages: maxNested };
    const kept: string[] = [];
    for (const { name, link } of names.slice(0, maxEntries)) {
      const location = join(root.path, name);
      if (await exists(join(location, 'SKILL.md'))) {
        kept.push(location);
        continue;
      }
      const nested =
        link || root.source === 'bundled' || notSearched.has(name)
          ? []
          : await packagesBelow(location, maxDepth, budget);
      if (nested.length > 0) kept.push(...nested);
      else if (await isPackage(location)) kept.push(location);
    }
    const excess = names.length > maxEntries || budget.folders <= 0 || budget.packages <= 0;
    if (!excess) return { locations: kept, usable: true };
    const reason = `holds more than ${maxEntries} directories, or ${maxFolders} folders or ${maxNested} packages in them; the rest is ignored`;
    return { locations: kept, usable: true, problem: problem(root, reason) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isMissing(error)) {
      const reason = code === 'ENOTDIR' ? 'is not a directory' : 'does not exist';
      return { locations: [], usable: false, ...(root.named && { problem: problem(root, reason) }) };
    }
    return { locations: [], usable: false, problem: problem(root, `cannot be read (${code ?? 'unknown error'})`) };
  }
}

/** Folders in `folder`, at most `depth` deep, that have a SKILL.md; links are not followed. */
async function packagesBelow(
  folder: string,
  depth: number,
  budget: { folders: number; packages: number },
): Promise<string[]> {
  budget.folders -= 1;
  if (depth === 0 || budget.folders <= 0) return [];
  // One that cannot be read is none of a package's business.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter(each => each.isDirectory() && isPackageName(each.name) && !notSearched.has(each.name));
  const found: string[] = [];
  for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const location = join(folder, name);
    if (budget.packages <= 0) break;
    if (await exists(join(location, 'SKILL.md'))) {
      budget.packages -= 1;
      found.push(location);
    } else {
      found.push(...(await packagesBelow(location, depth - 1, budget)));
    }
  }
  return found;
}

/** False for names that never are packages. */
export const isPackageName = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules';

/** True when the directory has a SKILL.md, or looks as if it should; one that cannot be opened by its name is told of. */
export async function isPackage(location: string): Promise<boolean> {
  if (isBroken(basename(location))) return true;
  for (const mark of ['SKILL.md', ...packageMarks]) {
    if (await exists(join(location, mark))) return true;
  }
  return false;
}

const problem = (root: SearchRoot, reason: string): RootProblem => ({
  path: root.path,
  source: root.source,
  message: `skill path "${basename(root.path)}" (${root.source}) ${reason}`,
});
