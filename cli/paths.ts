/** Checks of paths that a user names. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { cliErrors } from './errors.ts';

/** Throws SVC_CLI_* unless `path` is a directory that can be read; `what` names its use. */
export async function assertDirectory(what: string, path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES' || error.code === 'EPERM') throw cliErrors.PATH_UNREADABLE({ what, path }, error);
    throw cliErrors.PATH_MISSING({ what, path }, error);
  });
  if (!found.isDirectory()) throw cliErrors.NOT_A_DIRECTORY({ what, path });
  await access(path, constants.R_OK | constants.X_OK).catch(error => {
    throw cliErrors.PATH_UNREADABLE({ what, path }, error);
  });
}
