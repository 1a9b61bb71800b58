/** Files that only their user may read, whatever the umask says and whoever made them. */
import { closeSync, fchmodSync, fstatSync, openSync } from 'node:fs';

/** Takes the rights of others away from an open file; what is no plain file of this user stays as it is. */
export function keepPrivate(fd: number): void {
  const found = fstatSync(fd);
  if (!process.getuid || !found.isFile() || found.uid !== process.getuid() || (found.mode & 0o077) === 0) return;
  fchmodSync(fd, found.mode & 0o700);
}

/** Makes a file, empty, where there is none, before somebody does who has no say in its mode. Says nothing of failures. */
export function makePrivate(path: string): void {
  try {
    const fd = openSync(path, 'a', 0o600);
    try {
      keepPrivate(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Whoever opens it next meets the same, and says so.
  }
}
