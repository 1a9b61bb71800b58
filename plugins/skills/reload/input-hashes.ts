/** Content hashes of the files that running code was made from: tells a real change from a mere touch. */
import { hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { readRegular } from '../packages/package-files.ts';

/** Hash by path; undefined when it is not certain that the running code has this content. */
export type InputHashes = ReadonlyMap<string, string | undefined>;

interface FileHash {
  hash: string;
  mtimeMs: number;
}

/** The clock that stamps files may lag behind ours. */
const clockSlackMs = 50;
const batch = 16;

/** Hashes as of now, before code is made from the files. */
export const hashBefore = async (paths: readonly string[]): Promise<InputHashes> =>
  new Map([...(await hashAll(paths))].map(([path, found]) => [path, found?.hash]));

/**
 * Hashes after code was made from `paths`. Certain is what has the content of `before`, or was last written well
 * before `since` (ms): a save that falls between the two must be seen as a change later.
 */
export async function hashAfter(paths: readonly string[], before: InputHashes, since: number): Promise<InputHashes> {
  const certain = (path: string, found: FileHash | undefined): string | undefined =>
    found && (found.hash === before.get(path) || found.mtimeMs < since - clockSlackMs) ? found.hash : undefined;
  return new Map([...(await hashAll(paths))].map(([path, found]) => [path, certain(path, found)]));
}

/** True when one of the files (those among `paths`, if given) has other content than `known` says. */
export async function inputsChanged(known: InputHashes, paths?: ReadonlySet<string>): Promise<boolean> {
  const asked = [...known].filter(([path]) => paths === undefined || paths.has(path));
  if (asked.some(([, hash]) => hash === undefined)) return true;
  const now = await hashBefore(asked.map(([path]) => path));
  return asked.some(([path, hash]) => now.get(path) !== hash);
}

async function hashAll(paths: readonly string[]): Promise<Map<string, FileHash | undefined>> {
  const found = new Map<string, FileHash | undefined>();
  for (let at = 0; at < paths.length; at += batch) {
    const part = paths.slice(at, at + batch);
    const hashes = await Promise.all(part.map(hashFile));
    for (const [index, path] of part.entries()) found.set(path, hashes[index]);
  }
  return found;
}

async function hashFile(path: string): Promise<FileHash | undefined> {
  try {
    const bytes = await readRegular(path);
    const { mtimeMs } = await stat(path);
    return { hash: hash('sha1', bytes, 'base64'), mtimeMs };
  } catch {
    return undefined;
  }
}
