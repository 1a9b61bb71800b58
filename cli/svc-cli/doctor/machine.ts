/** What is looked at whatever runs: Node, the clock, the installation, and folders that others must not write to. */
import { constants, existsSync } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/light.ts';
import { type Check, failed, ok, quoted, warning } from './check.ts';

export async function nodeCheck(): Promise<Check> {
  const { engines } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const [major = 0] = process.versions.node.split('.').map(Number);
  const told = `Node.js ${process.versions.node}`;
  if (major < 20) return failed('node', `${told} is too old: ${engines.node} is needed`, 'node --version');
  if (major === 20) return warning('node', `${told} works, and is past its end of life`, 'node --version');
  return ok('node', told);
}

/** The program that serves, beside this one. */
export const serverBinary = (): string | null => {
  const path = join(packageRoot, 'dist', 'svc-server.js');
  return existsSync(path) ? path : null;
};

export function installationCheck(): Check {
  const path = serverBinary();
  if (path !== null) return ok('installation', path);
  return failed('installation', `svc-server is not beside this program in ${packageRoot}`, 'npm run build');
}

/** Beyond this, times of two machines or of before and after a jump are not the same. */
const skewMs = 60_000;

export interface Moments {
  /** Milliseconds since the epoch. */
  now: number;
  /** When files were written last, as they say. */
  written: readonly number[];
  /** What another machine's clock said, and when this one heard it. */
  other?: { says: number; heard: number } | undefined;
}

/** Leases, heartbeats and tokens go by the clock. */
export function clockCheck({ now, written, other }: Moments): Check {
  const told = new Date(now).toISOString();
  if (now < Date.UTC(2025, 0)) return failed('clock', `it says ${told}, which is before this program was made`, 'date');
  const ahead = Math.max(0, ...written) - now;
  if (ahead > skewMs) {
    const reason = `files were written ${seconds(ahead)} from now: it was set back, or the folder is on another machine`;
    return warning('clock', `it says ${told}, and ${reason}`, 'date');
  }
  const apart = other ? Math.abs(other.says - other.heard) : 0;
  if (apart > skewMs) return warning('clock', `it says ${told}, ${seconds(apart)} apart from the gateway's`, 'date');
  return ok('clock', told);
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** Others of this machine may not write where calls are led from. */
export async function directoryCheck(check: string, path: string): Promise<Check> {
  const look = `ls -ld ${quoted(path)}`;
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return failed(check, `${path} is no directory`, look);
    const own = process.getuid?.();
    if (own !== undefined && found.uid !== own) return failed(check, `${path} belongs to another user`, look);
    if (process.platform !== 'win32' && (found.mode & 0o022) !== 0) {
      return failed(check, `${path} can be written by others`, `chmod 700 ${quoted(path)}`);
    }
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(check, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return ok(check, `${path} is not there yet: the first server makes it`);
    return failed(check, `${path} cannot be used (${code})`, look);
  }
}
