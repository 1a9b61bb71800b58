/**
 * Rows on their way to their files: made into bytes as they come, gathered for a moment and written together. Whoever hands
 * one in waits for nothing, and a disk that takes none costs rows, never a call.
 */
import { messageOf } from '../../../kernel/light.ts';
import { LineBuffer } from '../../../schemas/line-buffer.ts';
import type { CappedFile } from './capped-file.ts';

export interface WriterParts<Row> {
  /** A file, and what a row is there, as JSON. */
  targets: readonly { file: CappedFile; line(row: Row): string }[];
  /** Told once of a problem, and once when it is over with how many rows it cost. */
  onProblem(file: string, reason: string): void;
  onRecovered(dropped: number): void;
}

const gatherMs = 50;
/** Rows that wait at most, and their bytes: a disk that hangs must not fill the memory. */
const mostWaiting = 20_000;
const mostBytes = 64 * 1024 * 1024;

export type Writer<Row> = ReturnType<typeof createWriter<Row>>;

export function createWriter<Row>({ targets, onProblem, onRecovered }: WriterParts<Row>) {
  // One part of the memory of each is filled while the other is written.
  const queues = targets.map(each => ({ ...each, filling: new LineBuffer(), taken: new LineBuffer() }));
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let dropped = 0;
  /** Of these, before the problem that is told. */
  let droppedBefore = 0;
  let problem: string | null = null;

  const failed = (path: string, error: unknown, rows: number): void => {
    dropped += rows;
    const told = problem !== null;
    problem = messageOf(error);
    if (told) return;
    droppedBefore = dropped - rows;
    onProblem(path, problem);
  };

  const write = async (): Promise<void> => {
    let wrong = false;
    waiting = 0;
    for (const queue of queues) [queue.filling, queue.taken] = [queue.taken, queue.filling];
    for (const { file, taken } of queues) {
      for (const { bytes, lines } of taken.pieces()) {
        try {
          await file.append(bytes);
        } catch (error) {
          wrong = true;
          failed(file.path, error, lines);
        }
      }
      taken.clear();
    }
    if (wrong || problem === null) return;
    problem = null;
    onRecovered(dropped - droppedBefore);
  };

  const drain = async (): Promise<void> => {
    while (waiting > 0) await write();
    let next: number | undefined;
    for (const { file } of targets) {
      if (file.due === 0) await file.trim().catch((error: unknown) => failed(file.path, error, 0));
      else if (file.due !== undefined) next = Math.min(file.due, next ?? file.due);
    }
    writing = undefined;
    if (waiting > 0 || next !== undefined) again(next ?? gatherMs);
  };

  const again = (ms: number): void => {
    timer ??= setTimeout(() => void flush(), ms);
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // Not at once: with nothing to write it would be over before it is known to run, and then for ever.
    writing ??= Promise.resolve().then(drain);
    return writing;
  };

  return {
    add(row: Row): void {
      const [first] = queues;
      if (waiting >= mostWaiting || queues.some(each => each.filling.length >= mostBytes)) {
        failed(first?.file.path ?? '', new Error(`${waiting} rows wait: the disk does not take them`), 1);
        return;
      }
      waiting += 1;
      for (const { file, line, filling } of queues) {
        try {
          filling.add(line(row));
        } catch (error) {
          failed(file.path, error, 1);
        }
      }
      if (!writing) again(gatherMs);
    },
    /** Resolves when what was handed in is in the files, or lost. */
    async settled(): Promise<void> {
      while (waiting > 0 || writing) await flush();
    },
    get dropped(): number {
      return dropped;
    },
    get problem(): string | null {
      return problem;
    },
    async close(): Promise<void> {
      while (waiting > 0 || writing) await flush();
      clearTimeout(timer);
      for (const { file } of targets) await file.close().catch((error: unknown) => failed(file.path, error, 0));
    },
  };
}
