/** A token of ours that another server asks for: in a file, or given outright (in the environment, say). */
import { readFile } from 'node:fs/promises';

/** The token as it stands now: a file is read each time. Undefined where there is none; rejects for a file that cannot be read. */
export async function ownToken(file: string | null, given: string | null): Promise<string | undefined> {
  return (file === null ? given : (await readFile(file, 'utf8')).trim()) || undefined;
}
