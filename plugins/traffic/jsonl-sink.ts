/** Frames as lines of a file. */
import { createRecordFile } from '../../schemas/record-file.ts';
import type { Sink } from './sink.ts';

export interface JsonlOptions {
  path: string;
  /** The file is turned over before it grows larger; one older stays. */
  maxBytes: number;
}

export function createJsonlSink({ path, maxBytes }: JsonlOptions): Sink {
  const file = createRecordFile(path, { maxBytes, kept: 1 });
  return {
    kind: 'jsonl',
    place: path,
    async write(batch) {
      if (batch.length === 0) return;
      const lines = batch.map(each => each.json);
      const bytes = lines.reduce((sum, each) => sum + Buffer.byteLength(each) + 1, 0);
      // What does not fit into a file together goes in one by one.
      if (bytes <= maxBytes) await file.append(lines.join('\n'));
      else for (const line of lines) await file.append(line);
    },
    close: file.close,
  };
}
