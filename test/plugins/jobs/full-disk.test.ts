import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canMount, smallDisk } from '../../small-disk.ts';
import { rig, tool } from './support.ts';

// Elsewhere this is not tried.
test.skipIf(!canMount)(
  'a full disk under the job store: /health says so, jobs go on, all is stored when there is space',
  async context => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip('no file system may be mounted here');
    const { client, publish, ended, url } = await rig({ job_storage_path: join(disk.folder, 'jobs.db') });
    publish(tool('large', async () => ({ text: 'x'.repeat(5000) }), { execution: 'async' }));
    const run = async () => ended((await client.value('large')).job_id);
    const health = async () =>
      ((await (await fetch(`${url}/health`)).json()) as { job_persistence: object }).job_persistence;
    await run();
    expect(await health()).toMatchObject({ state: 'healthy' });
    disk.fill();
    for (let n = 0; n < 8; n += 1) expect(await run()).toMatchObject({ status: 'completed' });
    expect(await health()).toMatchObject({ state: 'degraded', last_error_kind: 'disk_full' });
    disk.free();
    writeFileSync(join(disk.folder, 'room'), '');
    await run();
    expect(await health()).toEqual({ state: 'healthy', consecutive_failures: 0, last_error_kind: null });
  },
);
