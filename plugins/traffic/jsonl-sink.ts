/** Frames as lines of a file. */
import { createRecordFile } from '../../schemas/record-file.ts';
import type { Sink } from './sink.ts';

export interface JsonlOptions {
  path: string;
  /** The file is turned over before it grows larger; one older stays. */
  maxBytes: number;
}

const newline = 10;

/** A batch is whole lines. */
export function createJsonlSink({ path, maxBytes }: JsonlOptions): Sink<Buffer> {
  const file = createRecordFile(path, { maxBytes, kept: 1 });
  return {
    kind: 'jsonl',
    place: path,
    async write(batch) {
      if (batch.length === 0) return;
      // What does not fit into a file together goes in one by one.
      if (batch.length <= maxBytes) return file.appendBytes(batch);
      for (let from = 0; from < batch.length; ) {
        const end = batch.indexOf(newline, from) + 1;
        await file.appendBytes(batch.subarray(from, end));
        from = end;
      }
    },
    close: file.close,
  };
}
