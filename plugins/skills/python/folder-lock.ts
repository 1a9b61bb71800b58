/**
 * A lock between servers that share a cache. It spares double work and nothing depends on it, so one whose owner no
 * longer touches it is simply taken.
 */
import { open, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const touchMs = 2000;
const staleMs = 5 * touchMs;
const lookMs = 100;

/** Waits for the lock, or until `done` says that nobody needs it; then there is nothing to release. */
export async function takeLock(
  path: string,
  signal: AbortSignal,
  done: () => Promise<boolean>,
): Promise<(() => Promise<void>) | undefined> {
  for (;;) {
    signal.throwIfAborted();
    if (await create(path)) return holdLock(path);
    if (await done()) return undefined;
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > staleMs) await rm(path, { force: true });
    else await pause(lookMs, undefined, { signal });
  }
}

async function create(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function holdLock(path: string): () => Promise<void> {
  const touch = (): void => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  };
  const timer = setInterval(touch, touchMs).unref();
  return async () => {
    clearInterval(timer);
    await rm(path, { force: true });
  };
}
