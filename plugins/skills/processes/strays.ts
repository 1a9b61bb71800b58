/**
 * Processes that left the group of the program that started them. On Linux they are known by a variable that they have
 * inherited, wherever they went: one that clears its environment is lost. On macOS they are followed from parent to child
 * before the end: one whose parent is gone already is lost. On Windows the system does that.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Rounds of looking: a process may start another one while it is being ended. */
const mostRounds = 5;

/** What can be told only while the program lives. */
export async function straysAhead(pid: number | undefined): Promise<readonly number[]> {
  if (process.platform !== 'darwin' || pid === undefined) return [];
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']).catch(() => ({ stdout: '' }));
  return descendantsOf(pid, stdout);
}

/** The descendants of a process in what `ps` prints: on each line a process and its parent. Pure. */
export function descendantsOf(pid: number, listing: string): number[] {
  const pairs = [...listing.matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)].map(([, own, parent]) => [
    Number(own),
    Number(parent),
  ]);
  const found = new Set([pid]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const [own = 0, parent = 0] of pairs) if (found.has(parent)) found.add(own);
  }
  return [...found].slice(1);
}

/** Ends by force what `ahead` names and what has `mark` in its environment. Never rejects. */
export async function strays(mark: string, ahead: readonly number[]): Promise<void> {
  for (const pid of ahead) kill(pid);
  if (process.platform !== 'linux') return;
  for (let round = 0; round < mostRounds; round += 1) {
    const found = await marked(mark);
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
  }
}

/** A zombie has no environment any more. */
async function marked(mark: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    names
      .filter(name => /^\d+$/.test(name))
      .map(async name => {
        const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
        return environment.split('\0').includes(mark) ? [Number(name)] : [];
      }),
  );
  return found.flat();
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
