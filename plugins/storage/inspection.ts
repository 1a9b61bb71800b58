/** What stands at a database path before anything is opened there: nothing is written, nothing is repaired. */
import { mkdir, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { storageErrors } from './errors.ts';

const magic = 'SQLite format 3\0';

export interface Place {
  /** The physical path: one file has one, whatever links lead to it. */
  path: string;
  /** Bytes of the file; 0 when it is missing or empty. */
  size: number;
}

/** Finds the place, making its folder; throws SVC_STORAGE_* for a directory, a foreign file or an unwritable path. */
export async function inspect(given: string): Promise<Place> {
  const path = resolve(given);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(error => {
    throw unwritable(path, error);
  });
  return lookAt(path);
}

/** The same of a place whose folder is there. */
export async function lookAt(given: string): Promise<Place> {
  const path = await physical(resolve(given));
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw storageErrors.IS_DIRECTORY({ path, example: join(path, 'jobs.db') });
  if (found && !found.isFile()) throw storageErrors.UNWRITABLE({ path, reason: 'it is no regular file' });
  const size = found?.size ?? 0;
  if (size > 0 && (await head(path)) !== magic) {
    throw storageErrors.CORRUPT({ path, reason: 'it does not begin like one' });
  }
  return { path, size };
}

async function physical(path: string): Promise<string> {
  try {
    return await realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)));
  } catch (error) {
    throw unwritable(path, error);
  }
}

export const unwritable = (path: string, error: unknown): Error =>
  storageErrors.UNWRITABLE({ path, reason: (error as Error).message }, error);

async function head(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0);
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}
