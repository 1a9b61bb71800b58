/** Which threads go first. */
import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * The thread that calls this lets others go first, those of its own process too: for work that nobody waits for. It still
 * gets a tenth of a core where all of them are busy. Only Linux has priorities of threads that Node reaches, by their ids
 * (setpriority(2)); elsewhere, and where there is no /proc, nothing changes.
 */
export function letOthersFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    // <process>/task/<thread>
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    // A whole process that was made to wait longer stays so.
    setPriority(thread, Math.max(getPriority(thread), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // It works as fast as the others then.
  }
}
