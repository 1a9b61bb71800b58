/** Files that hold the process id of a daemon. */
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { cliErrors } from './errors.ts';

/** Rejects unless the file can be written; one that is there keeps its content. */
export async function assertWritable(path: string): Promise<void> {
  const existed = await stat(path).catch(() => undefined);
  try {
    await (await open(path, 'a', 0o644)).close();
  } catch (error) {
    throw unwritable(path, error);
  }
  if (!existed) await rm(path, { force: true });
}

/** Writes this process's id; the returned function removes the file, unless another process has taken it over. */
export async function writePidFile(path: string): Promise<() => Promise<void>> {
  const own = `${process.pid}\n`;
  await writeFile(path, own, { mode: 0o644 }).catch(error => {
    throw unwritable(path, error);
  });
  return async () => {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === own) await rm(path, { force: true });
  };
}

const unwritable = (path: string, error: unknown): Error =>
  cliErrors.PIDFILE_UNWRITABLE({ path, reason: (error as Error).message }, error);
