/** Bytes of artefacts: hashed and written in pieces, so that a large one never holds the loop. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';

const pieceBytes = 1 << 20;

export async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    hash.update(bytes.subarray(at, at + pieceBytes));
    if (at + pieceBytes < bytes.length) await turn();
  }
  return hash.digest('hex');
}

/** Copies a file to `target`, which must not exist; resolves with the digest and size of what was copied. */
export async function copyHashed(source: string, target: string): Promise<{ hex: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  let out: FileHandle | undefined;
  try {
    for await (const piece of createReadStream(source, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
      out ??= await open(target, 'wx', 0o600);
      hash.update(piece);
      size += piece.length;
      await out.writeFile(piece);
    }
    out ??= await open(target, 'wx', 0o600);
  } finally {
    await out?.close();
  }
  return { hex: hash.digest('hex'), size };
}
