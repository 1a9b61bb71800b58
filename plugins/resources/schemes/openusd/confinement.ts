/** Files below the project root: what lies outside, links out of it included, is never opened nor told to exist. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

export interface Root {
  /** As the host gave it, absolute. */
  given: string;
  /** Without links. */
  real: string;
}

export type Located =
  | { status: 'present'; path: string; real: string; stats: Stats }
  | { status: 'missing'; path: string }
  | { status: 'outside' };

const remote = /^[A-Za-z][\w+.-]+:/;
const drive = /^[A-Za-z]:[\\/]/;

const within = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
};

/** Where `written` leads from the folder `from`. */
export async function locate(root: Root, from: string, written: string): Promise<Located> {
  const foreign = process.platform === 'win32' ? /^(\\\\|\/\/)/.test(written) : drive.test(written);
  if (foreign || remote.test(written)) return { status: 'outside' };
  const path = resolve(from, written);
  if (!within(root.given, path) && !within(root.real, path)) return { status: 'outside' };
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) {
    // A link out of the root stands for what is behind it, whether that exists or not.
    return within(root.real, await existing(dirname(path))) ? { status: 'missing', path } : { status: 'outside' };
  }
  if (!within(root.real, real)) return { status: 'outside' };
  const stats = await stat(real).catch(() => undefined);
  return stats ? { status: 'present', path, real, stats } : { status: 'missing', path };
}

/** The nearest ancestor that exists, without links. */
async function existing(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined || dirname(at) === at) return real ?? at;
  }
}

/** Opens what `locate` found; never waits for a writer, as opening a pipe would. */
export const openFound = (real: string): Promise<FileHandle> =>
  open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
