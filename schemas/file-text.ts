/** The text of a file that a person named, which may be a pipe. */
import { isUtf8 } from 'node:buffer';
import { constants, openSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Rejects for what is no UTF-8: read all the same, names and addresses would hold other characters than were written. */
export async function textOf(path: string): Promise<string> {
  const bytes = await bytesOf(path);
  if (isUtf8(bytes)) return bytes.toString();
  throw new Error(`line ${brokenLine(bytes)}: it is no text in UTF-8`);
}

/** A pipe is not read as a file is: while nobody writes, that would hold a thread, and with it the end of the process. */
async function bytesOf(path: string): Promise<Buffer> {
  if (!(await stat(path)).isFIFO()) return await readFile(path);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return await buffer(new Socket({ fd, readable: true }).unref());
}

/** The first line that is no UTF-8: no character of it holds the byte that ends a line. */
function brokenLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
  }
  return line;
}
