/**
 * A lock between processes: who creates its file does what only one may do, the others wait or give up. One whose owner
 * died, or that is too old, is reclaimed.
 */
import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';

export interface HeldLock {
  /** Gives the lock up, unless another has reclaimed it. */
  release(): Promise<void>;
}

interface Holder {
  token?: string;
  pid?: number;
}

/** Takes the lock that the file `path` is; undefined while another holds it. */
export async function takeLock(path: string, staleMs: number): Promise<HeldLock | undefined> {
  const taken = await create(path);
  if (taken) return taken;
  const found = await staleHolder(path, staleMs);
  if (!found || !(await reclaim(path, found.token))) return undefined;
  return create(path);
}

async function create(path: string): Promise<HeldLock | undefined> {
  const token = randomUUID();
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(JSON.stringify({ token, pid: process.pid, taken_at_unix: Date.now() / 1000 }));
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
  return {
    async release() {
      if ((await holderOf(path)).token === token) await rm(path, { force: true });
    },
  };
}

/** The holder of a lock that may be reclaimed. */
async function staleHolder(path: string, staleMs: number): Promise<Holder | undefined> {
  const [found, holder] = await Promise.all([stat(path).catch(() => undefined), holderOf(path)]);
  if (!found) return undefined;
  const dead = holder.pid !== undefined && !isAlive(holder.pid);
  // One from the future was taken before the clock was set back: nobody can tell how old it is.
  return dead || Math.abs(Date.now() - found.mtimeMs) >= staleMs ? holder : undefined;
}

/** Moves the lock aside; when it turns out to be a fresh one that was taken meanwhile, it is put back. */
async function reclaim(path: string, token: string | undefined): Promise<boolean> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return false;
  }
  const right = (await holderOf(aside)).token === token;
  if (!right) await link(aside, path).catch(() => undefined);
  // Whoever made a folder of that name meant no lock.
  await rm(aside, { force: true, recursive: true });
  return right;
}

async function holderOf(path: string): Promise<Holder> {
  try {
    const { token, pid } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    return {
      ...(typeof token === 'string' ? { token } : {}),
      ...(typeof pid === 'number' && Number.isInteger(pid) && pid > 0 ? { pid } : {}),
    };
  } catch {
    return {};
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
