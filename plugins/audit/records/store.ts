/** Where the records of calls are: rows in files that outlive the process. `memory-store.ts` keeps the newest alone. */
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { threadEntry } from '../../../kernel/index.ts';
import type { CallRecord } from '../../../schemas/call-record.ts';
import { isObject, parsed } from '../../../schemas/loose.ts';
import { recordLines } from '../../../schemas/record-file.ts';
import type { AuditRow, TraceRow } from './api.ts';
import type { Settings } from './config.ts';
import { openRowsWriter } from './rows-writer.ts';

export interface RowsByKind {
  calls: AuditRow;
  traces: TraceRow;
}

/** A row that may have to be read still. */
export type Row<T> = () => T | undefined;

export interface RecordStore {
  /** Never waits, never throws. */
  add(record: CallRecord): void;
  /** All rows, oldest first, some at a time. */
  rows<K extends keyof RowsByKind>(kind: K): AsyncIterable<Row<RowsByKind[K]>[]>;
  status(): { durable: boolean; dropped: number; skipped_invalid: number; problem: string | null };
  close(): Promise<void>;
}

/** A line of a file is no longer than a trace can be. */
const longestLine = 1 << 20;

export interface FileStoreParts {
  directory: string;
  settings: Settings;
  onProblem(file: string, reason: string): void;
  onRecovered(dropped: number): void;
}

/** Rejects where the directory cannot be used. */
export async function openFileStore(parts: FileStoreParts): Promise<RecordStore> {
  const { directory, settings, onProblem, onRecovered } = parts;
  const caps = { maxRows: settings.gateway_audit_max_rows, maxBytes: settings.gateway_audit_max_bytes };
  const made = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (made !== undefined) await chmod(directory, 0o700);
  const files = { calls: join(directory, 'audit.jsonl'), traces: join(directory, 'traces.jsonl') };
  const writer = await openRowsWriter({
    entry: await threadEntry('records-rows', 'plugins/audit/records/rows-thread.ts'),
    data: { audit: files.calls, traces: files.traces, caps, timeOrigin: performance.timeOrigin },
    onProblem,
    onRecovered,
  });
  let skipped = 0;
  for (const path of Object.values(files)) {
    for await (const lines of linesOf(path)) skipped += lines.filter(each => readRow(each) === undefined).length;
  }

  return {
    add: writer.add,
    async *rows<K extends keyof RowsByKind>(kind: K) {
      await writer.settled();
      for await (const lines of linesOf(files[kind])) {
        // A quick look, so that what a crash cut off is not counted.
        const whole = lines.filter(each => each?.startsWith('{') && each.endsWith('}'));
        yield whole.map(each => () => readRow(each) as RowsByKind[K] | undefined);
      }
    },
    status: () => ({ durable: true, dropped: writer.dropped, skipped_invalid: skipped, problem: writer.problem }),
    close: writer.close,
  };
}

/** A file that is not there yet has none. */
async function* linesOf(path: string): AsyncGenerator<(string | null)[]> {
  const there = await stat(path).catch(() => undefined);
  if (there) yield* recordLines(path, longestLine);
}

/** What both kinds of row have; undefined for what is none. */
function readRow(line: string | null): object | undefined {
  const row = line === null ? undefined : parsed(line);
  return isObject(row) && typeof row.request_id === 'string' && typeof row.trace_id === 'string' ? row : undefined;
}
