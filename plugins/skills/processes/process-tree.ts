/**
 * Children that end with all they started, and how long an end is waited for. A group ends as one. What left it (`setsid`,
 * a daemon) is found by `strays.ts`; on Windows `taskkill /T` follows the parents.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { atMost } from '../../../schemas/at-most.ts';
import { strays, straysAhead } from './strays.ts';

/** Spawn option that makes a child the leader of its own group. */
export const ownGroup: { detached: boolean; windowsHide: boolean } = {
  detached: process.platform !== 'win32',
  windowsHide: true,
};

/** Inherited by all that a program starts, with a value of its own. */
const treeVariable = 'SVC_PROCESS_TREE';

/** A program whose descendants are ended wherever they went: what `spawn` needs for that, and the end. */
export function processTree(env: NodeJS.ProcessEnv) {
  const mark = randomUUID();
  return {
    options: { ...ownGroup, env: { ...env, [treeVariable]: mark } },
    async kill(child: ChildProcess, graceMs: number): Promise<void> {
      const ahead = await straysAhead(child.pid);
      await killTree(child, graceMs);
      await strays(`${treeVariable}=${mark}`, ahead);
    },
  };
}

/**
 * Ends a child and its group: politely, then after `graceMs` by force (0: at once). Resolves when nothing of the child
 * is left, at most 2 s after the force. Never rejects.
 */
export async function killTree(child: ChildProcess, graceMs: number): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') return killWindowsTree(pid);
  if (graceMs > 0 && signalGroup(pid, 'SIGTERM')) await groupGone(pid, graceMs);
  // After the force only the leader is waited for: descendants may stay as zombies where nothing reaps them.
  if (signalGroup(pid, 'SIGKILL') && child.exitCode === null && child.signalCode === null) {
    await atMost(once(child, 'exit'), 2000);
  }
}

/** False when the group has no member any more. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function groupGone(pid: number, withinMs: number): Promise<void> {
  const end = Date.now() + withinMs;
  return new Promise(resolve => {
    const look = (waitMs: number): void => {
      // Not unref'd: bounded by `withinMs`, and whoever waits for the tree must get an answer.
      if (!signalGroup(pid, 0) || Date.now() >= end) resolve();
      else setTimeout(look, waitMs, Math.min(waitMs * 2, 50));
    };
    look(1);
  });
}

function killWindowsTree(pid: number): Promise<void> {
  return new Promise(resolve => {
    const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    killer.once('error', () => resolve());
    killer.once('exit', () => resolve());
  });
}
