/**
 * A log file: appended line by line, turned over when it has grown, and opened anew when somebody moved it away, so that
 * whoever rotates logs need not tell anybody. Synchronous: what a process says last before it dies is in the file.
 */
import { closeSync, constants, fstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { keepPrivate } from './private-file.ts';

/** Files beside the newest, `.1` the youngest. */
const kept = 4;
// A pipe that nobody reads must not hold the server.
const mode = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/** `maxBytes` 0 lets it grow. */
export function createLogFile(path: string, maxBytes: number) {
  let open: { fd: number; inode: number } | undefined;

  const close = (): void => {
    if (open) closeSync(open.fd);
    open = undefined;
  };
  const turnOver = (): void => {
    close();
    rmSync(`${path}.${kept}`, { force: true });
    for (let age = kept - 1; age >= 0; age -= 1) {
      const from = age === 0 ? path : `${path}.${age}`;
      if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${path}.${age + 1}`);
    }
  };
  const ready = (): number => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() && maxBytes > 0 && found.size >= maxBytes) turnOver();
    else if (open && found?.ino !== open.inode) close();
    if (!open) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const fd = openSync(path, mode, 0o600);
      keepPrivate(fd);
      open = { fd, inode: fstatSync(fd).ino };
    }
    return open.fd;
  };

  return {
    /** Appends; returns why it could not. */
    write(line: string): string | undefined {
      try {
        writeSync(ready(), line);
        return undefined;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? String(error);
      }
    },
    close,
  };
}
