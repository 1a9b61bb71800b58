/**
 * Files that are whole or not there: written aside and renamed into place. Our own, because the libraries for it put
 * their handlers on the signals of the process, which belong to the application that we live in.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Windows refuses to replace a file while a virus scanner or an indexer looks at it. */
const busy = new Set(['EPERM', 'EACCES', 'EBUSY']);
const tries = 10;
const pauseMs = 20;

/** Writes a file at once for whoever reads it; makes its folder when that is missing. */
export async function writeWhole(
  file: string,
  data: string | Uint8Array,
  { mode = 0o666, folderMode = 0o777 }: { mode?: number; folderMode?: number } = {},
): Promise<void> {
  const part = join(dirname(file), `.${basename(file)}.${randomUUID()}.part`);
  try {
    await writeFile(part, data, { mode }).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await mkdir(dirname(file), { recursive: true, mode: folderMode });
      await writeFile(part, data, { mode });
    });
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await putInPlace(part, file);
}

/** Moves what was written aside to where it is read, in the place of what may be there; what cannot be moved is removed. */
export async function putInPlace(part: string, file: string): Promise<void> {
  for (let left = process.platform === 'win32' ? tries : 1; ; left -= 1) {
    try {
      return await rename(part, file);
    } catch (error) {
      if (left <= 1 || !busy.has((error as NodeJS.ErrnoException).code ?? '')) {
        await rm(part, { force: true });
        throw error;
      }
      await pause(pauseMs);
    }
  }
}
