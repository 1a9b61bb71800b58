/** The text of a file that a person named, which may be a pipe. */
import { constants, openSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A pipe is not read as a file is: while nobody writes, that would hold a thread, and with it the end of the process. */
export async function textOf(path: string): Promise<string> {
  if (!(await stat(path)).isFIFO()) return await readFile(path, 'utf8');
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return await text(new Socket({ fd, readable: true }).unref());
}
