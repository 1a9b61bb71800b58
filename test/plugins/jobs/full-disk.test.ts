import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../../helper.ts';
import { rig, tool } from './support.ts';

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** A disk of 2 MiB; nothing when this user or container may mount none. */
async function smallDisk(): Promise<string | undefined> {
  const folder = await tempDir();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

// Only root may make a disk: elsewhere this is not tried.
test.skipIf(!canMount)(
  'a full disk under the job store: /health says so, jobs go on, all is stored when there is space',
  async context => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip('no file system may be mounted here');
    const { client, publish, ended, url } = await rig({ job_storage_path: join(disk, 'jobs.db') });
    publish(tool('large', async () => ({ text: 'x'.repeat(5000) }), { execution: 'async' }));
    const run = async () => ended((await client.value('large')).job_id);
    const health = async () =>
      ((await (await fetch(`${url}/health`)).json()) as { job_persistence: object }).job_persistence;
    await run();
    expect(await health()).toMatchObject({ state: 'healthy' });
    for (
      let n = 0;
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, `fill${n}`)}`, 'bs=4096', 'count=64']).status === 0;
      n += 1
    );
    for (let n = 0; n < 8; n += 1) expect(await run()).toMatchObject({ status: 'completed' });
    expect(await health()).toMatchObject({ state: 'degraded', last_error_kind: 'disk_full' });
    for (const name of readdirSync(disk)) if (name.startsWith('fill')) rmSync(join(disk, name));
    writeFileSync(join(disk, 'room'), '');
    await run();
    expect(await health()).toEqual({ state: 'healthy', consecutive_failures: 0, last_error_kind: null });
  },
);
