/** A token of ours that another server asks for: in a file, or given outright (in the environment, say). */
import { readFile } from 'node:fs/promises';

/** The token as it stands now: a file is read each time. Undefined where there is none; rejects for a file that cannot be read. */
export async function ownToken(file: string | null, given: string | null): Promise<string | undefined> {
  if (file === null) return given || undefined;
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = new Error(`The token file ${file} cannot be read: ${error.message}`, { cause: error });
    throw Object.assign(reason, { code: error.code });
  });
  return text.trim() || undefined;
}
