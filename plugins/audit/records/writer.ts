/**
 * Rows on their way to their files: gathered for a moment, made into text in slices between which the loop goes on, and
 * written together. Whoever hands one in waits for nothing, and a disk that takes none costs rows, never a call.
 */
import { setImmediate as breath } from 'node:timers/promises';
import { messageOf } from '../../../kernel/light.ts';
import type { CappedFile } from './capped-file.ts';

export interface WriterParts<Row> {
  /** A file, and what a row is there, as JSON. */
  targets: readonly { file: CappedFile; line(row: Row): string }[];
  /** Told once of a problem, and once when it is over with how many rows it cost. */
  onProblem(file: string, reason: string): void;
  onRecovered(dropped: number): void;
}

/** How long rows are gathered, how long one slice may take, and how much one write has at most. */
const gatherMs = 25;
const sliceMs = 4;
const writeBytes = 256 * 1024;
/** Rows that wait at most: a disk that hangs must not fill the memory. */
const mostWaiting = 20_000;

export type Writer<Row> = ReturnType<typeof createWriter<Row>>;

export function createWriter<Row>({ targets, onProblem, onRecovered }: WriterParts<Row>) {
  let waiting: Row[] = [];
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

  /** Makes as many rows into text as a slice allows; gives where it stopped. */
  const slice = (rows: readonly Row[], from: number, texts: string[][]): number => {
    const until = performance.now() + sliceMs;
    let size = 0;
    let at = from;
    for (; at < rows.length && size < writeBytes && performance.now() < until; at += 1) {
      for (const [index, target] of targets.entries()) {
        try {
          const text = `${target.line(rows[at] as Row)}\n`;
          size += text.length;
          texts[index]?.push(text);
        } catch (error) {
          failed(target.file.path, error, 1);
        }
      }
    }
    return at;
  };

  const write = async (texts: readonly string[][]): Promise<void> => {
    let wrong = false;
    for (const [index, lines] of texts.entries()) {
      const { file } = targets[index] as (typeof targets)[number];
      if (lines.length === 0) continue;
      try {
        await file.append(Buffer.from(lines.join('')));
      } catch (error) {
        wrong = true;
        failed(file.path, error, lines.length);
      }
    }
    if (wrong || problem === null) return;
    problem = null;
    onRecovered(dropped - droppedBefore);
  };

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const rows = waiting;
      waiting = [];
      for (let at = 0; at < rows.length; ) {
        const texts = targets.map((): string[] => []);
        at = slice(rows, at, texts);
        await write(texts);
        await breath();
      }
    }
    let next: number | undefined;
    for (const { file } of targets) {
      if (file.due === 0) await file.trim().catch((error: unknown) => failed(file.path, error, 0));
      else if (file.due !== undefined) next = Math.min(file.due, next ?? file.due);
    }
    writing = undefined;
    if (waiting.length > 0 || next !== undefined) again(next ?? gatherMs);
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
      if (waiting.length >= mostWaiting) {
        failed(targets[0]?.file.path ?? '', new Error(`${mostWaiting} rows wait: the disk does not take them`), 1);
        return;
      }
      waiting.push(row);
      if (!writing) again(gatherMs);
    },
    /** Resolves when what was handed in is in the files, or lost. */
    async settled(): Promise<void> {
      while (waiting.length > 0 || writing) await flush();
    },
    get dropped(): number {
      return dropped;
    },
    get problem(): string | null {
      return problem;
    },
    async close(): Promise<void> {
      while (waiting.length > 0 || writing) await flush();
      clearTimeout(timer);
      for (const { file } of targets) await file.close().catch((error: unknown) => failed(file.path, error, 0));
    },
  };
}
