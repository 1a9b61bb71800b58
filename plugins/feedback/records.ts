/** Feedback on disk: a file per process in the folder `feedback` of the registry, turned over and kept within bounds. */
import { randomUUID } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '../../schemas/finding.ts';
import { safeName } from '../../schemas/finding-rules.ts';
import { createRecordFile } from '../../schemas/record-file.ts';
import type { FeedbackEntry } from './api.ts';

/** What one reading takes at most; more is an error, not a part of the truth. */
export const bounds = {
  files: 1024,
  fileBytes: 8 << 20,
  totalBytes: 256 << 20,
  lineBytes: 1 << 20,
  matches: 100_000,
} as const;

/** Of a process: a file, and the older ones beside it. */
const file = { maxBytes: 5 << 20, kept: 4, durable: true } as const;

export const feedbackFolder = (registry: string): string => join(registry, 'feedback');

/** Host type, process, and which of its files: 0 is the one that is written. */
export const fileName = /^(?<family>(?<dcc_type>.*)-\d+)\.jsonl(?:\.(?<age>\d+))?$/;

/** A finding as it is stored. */
export const entryOf = (finding: Finding, id: string, now: number): FeedbackEntry => ({
  id,
  timestamp: now / 1000,
  ...finding,
});

/** A finding that is stored without having been sent anywhere. */
export const ownEntry = (finding: Finding): FeedbackEntry => entryOf(finding, randomUUID(), Date.now());

/** `name` is the host type, or what else the process is. */
export function createFeedbackRecords(registry: string, name: string) {
  const folder = feedbackFolder(registry);
  const records = createRecordFile(join(folder, `${safeName(name)}-${process.pid}.jsonl`), file);
  let pruned: Promise<void> | undefined;
  return {
    /** Resolves when the disk has it. */
    async append(entry: FeedbackEntry): Promise<void> {
      pruned ??= prune(folder);
      await pruned;
      await records.append(JSON.stringify(entry));
    },
    close: records.close,
  };
}

/** The oldest files go when the others would not leave room for those of a process. */
async function prune(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter(each => fileName.test(each));
  const found = await Promise.all(names.map(each => lstat(join(folder, each)).catch(() => undefined)));
  const files = names
    .flatMap((name, index) => {
      const stats = found[index];
      return stats ? [{ path: join(folder, name), size: stats.size, time: stats.mtimeMs }] : [];
    })
    .sort((one, other) => one.time - other.time);
  let bytes = files.reduce((sum, each) => sum + each.size, 0);
  let count = files.length;
  for (const { path, size } of files) {
    const own = file.kept + 1;
    if (count + own <= bounds.files && bytes + own * file.maxBytes <= bounds.totalBytes) return;
    await rm(path, { force: true });
    count -= 1;
    bytes -= size;
  }
}
