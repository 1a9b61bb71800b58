/** The file of a sink, as it is at start: there, regular, and its owner's alone when it is new. */
import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const flags =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  // Neither a link that somebody planted is followed, nor a pipe waited for.
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Rejects when nothing can be written there. */
export async function claimFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, flags, 0o600);
  const found = await handle.stat().finally(() => handle.close());
  if (!found.isFile()) throw new Error(`${path} is not a regular file`);
}
