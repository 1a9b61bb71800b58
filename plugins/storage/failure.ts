/** Kinds of storage failure, from SQLite's codes. Pure. */
import type { StorageErrorKind } from './database.ts';

export function kindOf(error: unknown): StorageErrorKind {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (error instanceof SyntaxError || code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB') return 'decode';
  if (code.startsWith('SQLITE_READONLY') || code === 'SQLITE_PERM') return 'readonly';
  if (/WAL|SHM/.test(code)) return 'wal';
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'busy';
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return 'disk_full';
  return 'backend';
}
