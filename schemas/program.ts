/**
 * Programs of the system by name. Only folders of the PATH are looked in: the usual libraries look in the current folder
 * as well, on Windows first, and that of a host is wherever its user opened a file.
 */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { Environment } from './variables.ts';

const windows = process.platform === 'win32';

/** The folders of the PATH. */
export const pathFolders = (env: Environment): string[] =>
  (env.PATH ?? (windows ? env.Path : undefined) ?? '').split(delimiter).filter(Boolean);

/** The file of a program; a name with a folder is taken as it is. */
export async function findProgram(name: string, env: Environment): Promise<string | undefined> {
  const endings = windows ? ['', ...(env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  const folders = dirname(name) === '.' ? pathFolders(env) : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (await isProgram(file)) return file;
    }
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, windows ? constants.F_OK : constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
