/** A disk that a test may fill, and that is large enough for whatever is still on its way when there is space again. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
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
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', folder]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  const filling = join(folder, 'filling');
  return {
    folder,
    fill() {
      spawnSync('dd', ['if=/dev/zero', `of=${filling}`, 'bs=65536']);
    },
    free() {
      rmSync(filling);
    },
  };
}
