/** Reads every stored record, a file and some lines at a time, within bounds. */
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../kernel/index.ts';
import { isObject, type Json, parsed } from '../../schemas/loose.ts';
import { recordLines } from '../../schemas/record-file.ts';
import { feedbackErrors } from './errors.ts';
import { bounds, fileName } from './records.ts';

/** Of one record: its id and time are known to be good, the rest is what the file says. */
export type StoredRecord = Json & { id: string; timestamp: number };

export interface ScanCounts {
  files_scanned: number;
  skipped_invalid: number;
}

interface Found {
  path: string;
  dcc_type: string;
}

/** Calls `take` with each record; a folder that is not there has none. Rejects with SVC_FEEDBACK_UNREADABLE. */
export async function scanFeedback(folder: string, take: (record: StoredRecord) => void): Promise<ScanCounts> {
  const counts = { files_scanned: 0, skipped_invalid: 0 };
  let bytes = 0;
  for (const { path, dcc_type } of await filesOf(folder)) {
    const stats = await whenThere(() => lstat(path));
    if (!stats) continue;
    counts.files_scanned += 1;
    bytes += stats.size;
    check(stats, bytes, counts.files_scanned);
    await whenThere(async () => {
      for await (const lines of recordLines(path, bounds.lineBytes)) {
        for (const line of lines) {
          const record = line === null ? undefined : parsed(line);
          if (isRecord(record)) take(record.dcc_type === undefined ? { ...record, dcc_type } : record);
          else counts.skipped_invalid += 1;
        }
      }
    });
  }
  return counts;
}

/**
 * The files of each process, newest first, and one beyond the oldest: one that is turned over meanwhile becomes the next, so
 * that it is met twice rather than never.
 */
async function filesOf(folder: string): Promise<Found[]> {
  const names = (await whenThere(() => readdir(folder))) ?? [];
  const families = new Map<string, { dcc_type: string; ages: number[] }>();
  for (const name of names) {
    const { family = '', dcc_type = '', age = '0' } = fileName.exec(name)?.groups ?? otherName(name) ?? {};
    if (family === '') continue;
    const known = families.get(family) ?? { dcc_type, ages: [] };
    families.set(family, known);
    known.ages.push(Number(age));
  }
  return [...families].flatMap(([family, { dcc_type, ages }]) => {
    const ordered = ages.sort((one, other) => one - other);
    return [...ordered, (ordered.at(-1) ?? 0) + 1].map(age => ({
      path: join(folder, `${family}.jsonl${age === 0 ? '' : `.${age}`}`),
      dcc_type,
    }));
  });
}

/** Files that other programs put there: their records say themselves whose they are. */
const otherName = (name: string): Record<string, string> | undefined =>
  /^(?<family>.+)\.jsonl(?:\.(?<age>\d+))?$/.exec(name)?.groups;

function check(stats: Stats, bytes: number, files: number): void {
  const refuse = (reason: string) => feedbackErrors.UNREADABLE({ reason });
  if (!stats.isFile()) throw refuse('one of its files is no regular file');
  if (files > bounds.files) throw refuse(`it has more than ${bounds.files} files`);
  if (stats.size > bounds.fileBytes) throw refuse(`one of its files is larger than ${bounds.fileBytes} bytes`);
  if (bytes > bounds.totalBytes) throw refuse(`it is larger than ${bounds.totalBytes} bytes`);
}

/** Nothing for what is not there any more. */
async function whenThere<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw code?.startsWith('SVC_') ? error : feedbackErrors.UNREADABLE({ reason: code ?? messageOf(error) }, error);
  }
}

function isRecord(value: unknown): value is StoredRecord {
  if (!isObject(value)) return false;
  const { id, timestamp } = value;
  return typeof id === 'string' && id !== '' && id.length <= 256 && Number.isFinite(timestamp);
}
