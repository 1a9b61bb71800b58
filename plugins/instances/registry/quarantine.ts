/** Files that cannot be read as rows are moved aside, where a person can look at them. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Kept for people; older ones go. */
const keptFiles = 200;

/** Moves the file `name`; false when that is not possible, and it stays. */
export async function quarantineFile(from: string, name: string, folder: string, nowMs: number): Promise<boolean> {
  const target = join(folder, `${name}.${Math.floor(nowMs / 1000)}`);
  try {
    await rename(join(from, name), target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
  }
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(join(from, name), target);
    return true;
  } catch (error) {
    // Gone by itself is as good as moved.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Deletes all but the newest files of the quarantine. */
export async function trimQuarantine(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length <= keptFiles) return;
  const age = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 0);
  const oldest = names.sort((a, b) => age(a) - age(b)).slice(0, names.length - keptFiles);
  for (const name of oldest) await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
}
