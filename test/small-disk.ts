/** A disk of 2 MiB that a test may fill. */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempDir } from './helper.ts';

/** Only root may make a disk. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

export interface SmallDisk {
  readonly folder: string;
  /** To its last block. */
  fill(): void;
  /** What `fill` wrote goes. */
  free(): void;
}

/** Nothing when this container may mount none. */
export async function smallDisk(): Promise<SmallDisk | undefined> {
  const folder = await tempDir();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return {
    folder,
    fill() {
      for (
        let n = 0;
        spawnSync('dd', ['if=/dev/zero', `of=${join(folder, `fill${n}`)}`, 'bs=4096', 'count=64']).status === 0;
      )
        n += 1;
    },
    free() {
      for (const name of readdirSync(folder)) if (name.startsWith('fill')) rmSync(join(folder, name));
    },
  };
}
