/**
 * Who owns a database: an exclusive SQLite lock on `<database>.lock`, held as long as the process lives. The system frees
 * it when the owner is killed, so there is no stale age and no process id to guess at.
 */
import type Sqlite from 'better-sqlite3';
import type { Disposer } from '../../kernel/index.ts';
import { makePrivate } from '../../schemas/private-file.ts';
import { storageErrors } from './errors.ts';

/** Takes the lease of the database at `path` (its physical path); throws SVC_STORAGE_IN_USE when another holds it. */
export function takeLease(open: typeof Sqlite, path: string): Disposer {
  const lock = `${path}.lock`;
  let handle: Sqlite.Database;
  makePrivate(lock);
  try {
    handle = new open(lock, { timeout: 0 });
  } catch (error) {
    throw storageErrors.UNWRITABLE({ path: lock, reason: (error as Error).message }, error);
  }
  try {
    handle.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    handle.close();
    const { code, message } = error as { code?: string; message: string };
    if (code?.startsWith('SQLITE_BUSY')) throw storageErrors.IN_USE({ path, lock }, error);
    throw storageErrors.UNWRITABLE({ path: lock, reason: message }, error);
  }
  // The file stays: removing it would race with who opens it next.
  return () => void handle.close();
}
