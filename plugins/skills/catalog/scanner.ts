/** Looks through the search roots for packages: which directories there are, not what they say. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { exists, isMissing } from '../packages/package-files.ts';
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
/** Their presence makes a directory without SKILL.md a package that somebody forgot to finish. */
const packageMarks = ['tools.yaml', 'groups.yaml', 'scripts'];

/** Directories of `root` that are packages or were meant to be: the root itself, or its children. */
export async function listPackages(root: SearchRoot): Promise<RootListing> {
  try {
    if (await exists(join(root.path, 'SKILL.md'))) return { locations: [root.path], usable: true };
    const entries = await readdir(root.path, { withFileTypes: true });
    const names = entries
      .filter(each => (each.isDirectory() || each.isSymbolicLink()) && isPackageName(each.name))
      .map(each => each.name)
      .sort();
    const kept: string[] = [];
    for (const name of names.slice(0, maxEntries)) {
      if (await isPackage(join(root.path, name))) kept.push(join(root.path, name));
    }
    if (names.length <= maxEntries) return { locations: kept, usable: true };
    const reason = `holds more than ${maxEntries} directories; the rest is ignored`;
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

/** False for names that never are packages. */
export const isPackageName = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules';

/** True when the directory has a SKILL.md, or looks as if it should. */
export async function isPackage(location: string): Promise<boolean> {
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
