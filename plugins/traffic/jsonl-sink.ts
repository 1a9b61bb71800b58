/** Frames as lines of a file. */
import { createRecordFile } from '../../schemas/record-file.ts';
import type { Captured, Sink } from './sink.ts';

export interface JsonlOptions {
  path: string;
  /** The file is turned over before it grows larger; one older stays. */
  maxBytes: number;
}

/** UTF-8 has no more bytes for one of JavaScript's characters. */
const bytesOfCharacter = 3;

export function createJsonlSink({ path, maxBytes }: JsonlOptions): Sink {
  const file = createRecordFile(path, { maxBytes, kept: 1 });
  /** Used again for every batch: memory that is new costs more than what is written into it. */
  let space = Buffer.alloc(0);

  const linesOf = (batch: readonly Captured[]): Buffer => {
    const most = batch.reduce((sum, each) => sum + each.json.length * bytesOfCharacter + 1, 0);
    if (space.length < most) space = Buffer.allocUnsafeSlow(most);
    let length = 0;
    for (const { json } of batch) {
      length += space.write(json, length);
      length += space.write('\n', length);
    }
    return space.subarray(0, length);
  };

  return {
    kind: 'jsonl',
    place: path,
    async write(batch) {
      if (batch.length === 0) return;
      const lines = linesOf(batch);
      // What does not fit into a file together goes in one by one.
      if (lines.length <= maxBytes) await file.appendBytes(lines);
      else for (const { json } of batch) await file.append(json);
    },
    close: file.close,
  };
}
