/** A file that is read before something is decided by it: what it is named, and nothing that it leads to. */
import { constants, type Stats } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

/** `refuse` makes the error. */
export async function bytesOfFile(path: string, maxBytes: number, refuse: (reason: string) => Error): Promise<Buffer> {
  const check = (stats: Stats): void => {
    if (stats.isSymbolicLink()) throw refuse('it is a link: name the file itself');
    if (!stats.isFile()) throw refuse('it is no regular file');
    if (stats.size > maxBytes) throw refuse(`it has ${stats.size} bytes, at most ${maxBytes} are read`);
  };
  check(await lstat(path).catch(cannot(refuse)));
  // Once more of what was opened: it may be another by now.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch(cannot(refuse));
  try {
    check(await handle.stat());
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0);
    if (bytesRead > maxBytes) throw refuse(`it is larger than ${maxBytes} bytes`);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const cannot =
  (refuse: (reason: string) => Error) =>
  (error: NodeJS.ErrnoException): never => {
    throw refuse(error.code === 'ENOENT' ? 'there is no such file' : (error.code ?? error.message));
  };
