/** Counts the files that a job has written so far (shape:poll). Bounded in depth, number and time. */
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputTarget } from './api.ts';

/** Files directly in the directory are at depth 1. */
export const diskBounds = { maxDepth: 8, maxFiles: 50_000, maxMs: 2000 } as const;

export type FileCounter = (target: OutputTarget) => Promise<number | undefined>;

/** Counts as `countFiles` does; who asks for a folder that is being counted shares the count. */
export function createFileCounter(): FileCounter {
  const counting = new Map<string, Promise<number | undefined>>();
  return target => {
    const key = JSON.stringify([target.dir, target.extensions]);
    const running = counting.get(key);
    if (running) return running;
    const count = countFiles(target).finally(() => counting.delete(key));
    counting.set(key, count);
    return count;
  };
}

/**
 * The number of regular files below the directory; undefined when it is missing, unreadable, no directory, or takes too
 * long. Symbolic links are neither followed nor counted.
 */
export async function countFiles(
  { dir, extensions }: OutputTarget,
  { maxDepth, maxFiles, maxMs }: Record<keyof typeof diskBounds, number> = diskBounds,
): Promise<number | undefined> {
  const end = Date.now() + maxMs;
  let count = 0;

  const wanted = (name: string): boolean => {
    if (extensions.length === 0) return true;
    const lower = name.toLowerCase();
    return extensions.some(each => lower.endsWith(each));
  };

  const walk = async (folder: string, depth: number): Promise<void> => {
    const entries = await opendir(folder, { bufferSize: 256 });
    const folders: string[] = [];
    // Leaving the loop closes the directory.
    for await (const entry of entries) {
      if (entry.isFile() && wanted(entry.name)) count += 1;
      else if (entry.isDirectory() && depth < maxDepth) folders.push(entry.name);
      if (count >= maxFiles) return;
      if (Date.now() > end) throw new Error('counting takes too long');
    }
    for (const name of folders) {
      // A folder that vanishes or may not be read adds nothing.
      await walk(join(folder, name), depth + 1).catch(error => {
        if (Date.now() > end) throw error;
      });
      if (count >= maxFiles) return;
    }
  };

  try {
    if (!(await lstat(dir)).isDirectory()) return undefined;
    await walk(dir, 1);
    return count;
  } catch {
    return undefined;
  }
}
