/** A database that is open, and who opens it. */
import type { CompiledQuery, Kysely, Migration } from 'kysely';

/** A prepared statement; parameters in the order of the compiled query. Synchronous, throws what SQLite throws. */
export interface Statement<R = unknown> {
  /** Runs it; returns how many rows changed. */
  run(...parameters: readonly unknown[]): number;
  get(...parameters: readonly unknown[]): R | undefined;
  all(...parameters: readonly unknown[]): R[];
}

/** Why a write failed, fit for a health report: no path, no message. */
export type StorageErrorKind = 'readonly' | 'wal' | 'busy' | 'disk_full' | 'decode' | 'backend';

/** An open database that this process alone owns. */
export interface Database<Tables> {
  /** Builds queries; compile them once and hand them to `prepare`. */
  readonly kysely: Kysely<Tables>;
  prepare<R>(query: CompiledQuery<R>): Statement<R>;
  /** Runs `work` in one transaction: all of it or nothing. */
  transaction<T>(work: () => T): T;
  kindOf(error: unknown): StorageErrorKind;
}

export interface StorageService {
  /**
   * Opens the database at `path` under its exclusive lease and brings it to the newest of `migrations`; closed with the
   * server. Rejects with SVC_STORAGE_* and leaves the file as it was when it cannot be used.
   */
  open<Tables>(path: string, migrations: Readonly<Record<string, Migration>>): Promise<Database<Tables>>;
}

/** What stands at a database path that nobody has open: `unchecked` is one whose last writes still lie beside it, or a large one. */
export type DatabaseState = 'missing' | 'in_use' | 'sound' | 'unchecked';
