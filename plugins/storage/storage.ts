/** Opens databases: one owner, sound, up to date, in WAL mode; anything else is refused and left as it was. */
import type Sqlite from 'better-sqlite3';
import type { Kysely, Migration } from 'kysely';
import { isSvcError, messageOf, type Scope } from '../../kernel/index.ts';
import { makePrivate } from '../../schemas/private-file.ts';
import type { Database, StorageService } from './database.ts';
import { storageErrors } from './errors.ts';
import { kindOf } from './failure.ts';
import { inspect, type Place } from './inspection.ts';
import { takeLease } from './lease.ts';

/** "SVC1": tells our databases from those of other programs. */
const applicationId = 0x53564331;
/** A larger file is not checked page by page at every start. */
export const checkedBytes = 64 * 1024 * 1024;
/** How long a statement waits for a lock: it holds the event loop meanwhile. */
const busyMs = 20;

/** `scope` closes what is open. */
export function createStorage(scope: Scope): StorageService {
  return {
    async open<Tables>(given: string, migrations: Readonly<Record<string, Migration>>): Promise<Database<Tables>> {
      const Driver = await loadDriver();
      const { Kysely, SqliteDialect, Migrator } = await import('kysely');
      const place = await inspect(given);
      const release = takeLease(Driver, place.path);
      let handle: Sqlite.Database | undefined;
      try {
        // Its journal and its index take the mode of the file.
        makePrivate(place.path);
        const opened = new Driver(place.path, { timeout: busyMs });
        handle = opened;
        examine(opened, place, Object.keys(migrations));
        opened.pragma('journal_mode = WAL');
        opened.pragma('synchronous = NORMAL');
        opened.exec('BEGIN IMMEDIATE; ROLLBACK');
        opened.pragma(`application_id = ${applicationId}`);
        const kysely = new Kysely<Tables>({ dialect: new SqliteDialect({ database: opened }) });
        const provider = { getMigrations: async () => ({ ...migrations }) };
        const { error } = await new Migrator({ db: kysely, provider }).migrateToLatest();
        if (error) throw storageErrors.MIGRATION({ path: place.path, reason: messageOf(error) }, error);
        scope.add(`lease ${place.path}`, release);
        scope.add(`database ${place.path}`, () => void opened.close());
        return database(opened, kysely);
      } catch (error) {
        handle?.close();
        await release();
        throw isSvcError(error) ? error : refusal(place, error);
      }
    },
  };
}

export async function loadDriver(): Promise<typeof Sqlite> {
  try {
    const driver = (await import('better-sqlite3')).default;
    // The native part is loaded by the first database: when it was never built, that must not look like a bad path.
    new driver(':memory:').close();
    return driver;
  } catch (error) {
    throw storageErrors.NOT_BUILT({ reason: messageOf(error).split('\n')[0] }, error);
  }
}

/** Throws when the file is damaged, of another program, or of a newer version. */
export function examine(handle: Sqlite.Database, { path, size }: Place, known: readonly string[]): void {
  if (size === 0) return;
  const tables = handle.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const id = handle.pragma('application_id', { simple: true });
  if (id !== applicationId && (id !== 0 || tables.length > 0)) throw storageErrors.FOREIGN({ path });
  if (size <= checkedBytes) {
    const verdict = handle.pragma('quick_check(1)', { simple: true });
    if (verdict !== 'ok') throw storageErrors.CORRUPT({ path, reason: String(verdict).split('\n').at(-1) });
  }
  if (!tables.includes('kysely_migration')) return;
  const made = handle.prepare('SELECT name FROM kysely_migration').pluck().all() as string[];
  const unknown = made.find(each => !known.includes(each));
  if (unknown !== undefined) throw storageErrors.NEWER({ path, migration: unknown });
}

export function refusal({ path }: Place, error: unknown): Error {
  const reason = messageOf(error);
  if (kindOf(error) === 'decode') return storageErrors.CORRUPT({ path, reason }, error);
  if (kindOf(error) === 'busy') return storageErrors.IN_USE({ path, lock: 'a lock on it' }, error);
  return storageErrors.UNWRITABLE({ path, reason }, error);
}

function database<Tables>(handle: Sqlite.Database, kysely: Kysely<Tables>): Database<Tables> {
  return {
    kysely,
    kindOf,
    prepare({ sql }) {
      const statement = handle.prepare(sql);
      return {
        run: (...parameters) => statement.run(...parameters).changes,
        get: (...parameters) => statement.get(...parameters) as never,
        all: (...parameters) => statement.all(...parameters) as never,
      };
    },
    transaction: work => handle.transaction(work).immediate(),
  };
}
