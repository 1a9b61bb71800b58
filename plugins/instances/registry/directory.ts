/** Where the registry lies, and whether it may be trusted: what stands in it decides where tool calls go. */
import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { messageOf } from '../../../kernel/light.ts';
import { registryErrors } from './errors.ts';

const uid = process.getuid?.();

/** The configured directory, or one in the system's temporary folder that belongs to this user. */
export function registryDirectory(configured: string | null): string {
  if (configured !== null) return resolve(configured);
  const shared = join(tmpdir(), 'svc-registry');
  // The first user of the machine has it; the others have their own.
  return problemOf(shared) === undefined ? shared : `${shared}-${uid}`;
}

/** Makes the directory and its rows' folder; rejects when somebody else could write there. */
export async function prepareDirectory(directory: string): Promise<void> {
  const rows = rowsFolder(directory);
  try {
    await mkdir(rows, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw registryErrors.UNWRITABLE({ directory, reason: messageOf(error) }, error);
  }
  const reason = problemOf(directory) ?? problemOf(rows);
  if (reason !== undefined) throw registryErrors.UNSAFE({ directory, reason });
}

/** One text per directory and user, which says neither. A directory that is reached by a link is the one it leads to. */
export function directoryIdentity(directory: string): string {
  let real = directory;
  try {
    real = realpathSync.native(directory);
  } catch {
    // Not made yet.
  }
  return createHash('sha256')
    .update(`${real}\0${uid ?? userInfo().username}`)
    .digest('hex')
    .slice(0, 16);
}

export const rowsFolder = (directory: string): string => join(directory, 'instances');
export const quarantineFolder = (directory: string): string => join(directory, 'quarantine');

/** Why a path must not be used; a missing one may. */
function problemOf(path: string): string | undefined {
  let found: Stats;
  try {
    found = lstatSync(path);
    if (found.isSymbolicLink()) {
      // A link that this user made is the user's business, what it leads to is looked at; one that another planted is not.
      if (uid !== undefined && found.uid !== uid) return `${path} is a link of another user`;
      found = statSync(path);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : messageOf(error);
  }
  if (!found.isDirectory()) return `${path} is not a directory`;
  if (uid === undefined) return undefined;
  if (found.uid !== uid) return `${path} belongs to another user`;
  if ((found.mode & 0o002) !== 0) return `everybody may write to ${path}`;
  return (found.mode & 0o020) === 0 ? undefined : `its group may write to ${path}: chmod g-w`;
}
