/**
 * Looks at a database that no server of ours has open. SQLite itself would make files beside it to read one in WAL mode:
 * a copy in memory is examined instead.
 */
import { constants, existsSync } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { isSvcError } from '../../kernel/index.ts';
import type { DatabaseState } from './database.ts';
import { kindOf } from './failure.ts';
import { lookAt, type Place, unwritable } from './inspection.ts';
import { checkedBytes, examine, loadDriver, refusal } from './storage.ts';

export async function readDatabase(given: string, migrations: readonly string[]): Promise<DatabaseState> {
  const wanted = resolve(given);
  if (!existsSync(dirname(wanted))) {
    // The server makes it, where it may.
    let above = dirname(wanted);
    while (!existsSync(above)) above = dirname(above);
    await mayWrite(above);
    return 'missing';
  }
  const place = await lookAt(wanted);
  await mayWrite(dirname(place.path));
  if (place.size === 0) return 'missing';
  await mayWrite(place.path);
  const Driver = await loadDriver();
  if (isLeased(Driver, `${place.path}.lock`)) return 'in_use';
  const rest = await stat(`${place.path}-wal`).catch(() => undefined);
  if ((rest?.size ?? 0) > 0 || place.size > checkedBytes) return 'unchecked';
  await check(Driver, place, migrations);
  return 'sound';
}

const mayWrite = (path: string): Promise<void> =>
  access(path, constants.R_OK | constants.W_OK).catch(error => {
    throw unwritable(path, error);
  });

/** Whether a process holds the lock: reading waits for it, and changes nothing. */
function isLeased(Driver: typeof Sqlite, lock: string): boolean {
  let handle: Sqlite.Database | undefined;
  try {
    handle = new Driver(lock, { readonly: true, fileMustExist: true, timeout: 0 });
    handle.pragma('schema_version');
    return false;
  } catch (error) {
    return kindOf(error) === 'busy';
  } finally {
    handle?.close();
  }
}

/** Of the file format, the versions for writing and reading: 1 is a database without a log of writes, as one in memory must be. */
const formatVersions = [18, 19];

async function check(Driver: typeof Sqlite, place: Place, migrations: readonly string[]): Promise<void> {
  const bytes = await readFile(place.path);
  for (const each of formatVersions) bytes[each] = 1;
  let handle: Sqlite.Database | undefined;
  try {
    handle = new Driver(bytes);
    examine(handle, place, migrations);
  } catch (error) {
    throw isSvcError(error) ? error : refusal(place, error);
  } finally {
    handle?.close();
  }
}
