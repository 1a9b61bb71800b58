/** What waits for a sink, in the form in which the sink takes it. */
import { LineBuffer, type LinePiece } from '../../schemas/line-buffer.ts';
import type { Captured } from './sink.ts';

export interface Queue<Batch> {
  /** Frames that wait, and the bytes that they hold. */
  readonly frames: number;
  readonly bytes: number;
  add(frame: Captured): void;
  /** The oldest, which no longer wait; valid until the next time. */
  take(): { readonly batch: Batch; readonly frames: number };
  /** Forgets what waits. */
  clear(): void;
}

const batchBytes = 512 * 1024;

/** Frames as they are; `most` of them in one batch. */
export function createFrameQueue(most = Number.POSITIVE_INFINITY): Queue<readonly Captured[]> {
  const waiting: Captured[] = [];
  let bytes = 0;
  return {
    get frames() {
      return waiting.length;
    },
    get bytes() {
      return bytes;
    },
    add(frame) {
      waiting.push(frame);
      bytes += frame.size;
    },
    take() {
      let size = 0;
      const end = waiting.findIndex((each, index) => {
        size += each.size;
        return index >= most || (index > 0 && size > batchBytes);
      });
      const batch = waiting.splice(0, end < 0 ? waiting.length : end);
      for (const each of batch) bytes -= each.size;
      return { batch, frames: batch.length };
    },
    clear() {
      waiting.length = 0;
      bytes = 0;
    },
  };
}

/** Frames as lines of a file: one part of the memory is filled while the other is written. */
export function createLineQueue(): Queue<Buffer> {
  let filling = new LineBuffer();
  let taken = new LineBuffer();
  /** Of the part that is written, what is left of it. */
  let left: LinePiece[] = [];
  let [frames, bytes] = [0, 0];
  return {
    get frames() {
      return filling.lines + frames;
    },
    get bytes() {
      return filling.length + bytes;
    },
    add: frame => filling.add(frame.json),
    take() {
      if (left.length === 0) {
        taken.clear();
        [filling, taken] = [taken, filling];
        [left, frames, bytes] = [taken.pieces(), taken.lines, taken.length];
      }
      const piece = left.shift() ?? { bytes: Buffer.alloc(0), lines: 0 };
      frames -= piece.lines;
      bytes -= piece.bytes.length;
      return { batch: piece.bytes, frames: piece.lines };
    },
    clear() {
      filling.clear();
      [left, frames, bytes] = [[], 0, 0];
    },
  };
}
