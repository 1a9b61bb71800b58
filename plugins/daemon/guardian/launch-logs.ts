/** What launched daemons wrote: kept in a few files of bounded age, turned over when the next daemon is launched. */
import { rename, rm, stat } from 'node:fs/promises';

/** A log that has grown beyond this begins anew with the next daemon. */
const mostBytes = 5 * 1024 * 1024;
/** Older ones, `.1` the newest. */
const keptLogs = 3;

/** Moves a large log out of the way; a log that cannot be moved goes on growing rather than keep the daemon from starting. */
export async function turnOver(file: string): Promise<void> {
  const size = await stat(file).then(
    found => found.size,
    () => 0,
  );
  if (size <= mostBytes) return;
  try {
    await rm(`${file}.${keptLogs}`, { force: true });
    for (let age = keptLogs - 1; age > 0; age -= 1) {
      await rename(`${file}.${age}`, `${file}.${age + 1}`).catch(ignoreMissing);
    }
    await rename(file, `${file}.1`);
  } catch {
    // Opened without sharing, or in a folder that may not be changed: the next launch tries again.
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
