/** What an artist does meanwhile: 100,000 objects, a tool in the hand, undo, add-ons switched, two of them. */
import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { percentile } from '../bench/bench.ts';
import { connect, type Json, textJson, type Wire } from '../spec/wire.ts';
import {
  type Application,
  eventually,
  missingOf,
  rendersOf,
  type Started,
  type Step,
  withApplication,
} from './application.ts';
import { blenderWindowCommand, probed } from './blender.ts';

const text = (result: Json): string => (result.content as { text: string }[])[0]?.text ?? '';

const sceneOf = async (client: Wire): Promise<Json> => {
  const { contents } = await client.result('resources/read', { uri: 'scene://current' });
  return JSON.parse((contents as { text: string }[])[0]?.text ?? '') as Json;
};
const names = async (client: Wire): Promise<string[]> =>
  ((await sceneOf(client)).objects as { name: string }[] | undefined)?.map(each => each.name) ?? [];

async function inTheHand(step: Step, { client }: Started): Promise<void> {
  await step('a tool in the hand of the artist holds up no call', async () => {
    assert.deepEqual(JSON.parse(text(await client.call('modal', { on: true }))), ['RUNNING_MODAL']);
    assert.equal(textJson(await client.call('create_object', { shape: 'cube', name: 'In hand' })).name, 'In hand');
    await client.call('modal', { on: false });
  });
  await step('one undo takes one call back, and the scene follows; a render meanwhile goes on', async () => {
    await client.call('create_object', { shape: 'cube', name: 'First' });
    await client.call('set_camera', { location: [0, -8, 0], look_at: [0, 0, 0] });
    const job = textJson(await client.call('render_still', { width: 64, height: 64, samples: 1, engine: 'CYCLES' }));
    await client.call('create_object', { shape: 'cube', name: 'Second' });
    await eventually('the scene with both', 10, async () => (await names(client)).includes('Second'));
    await client.call('undo');
    await eventually('the scene with the first', 10, async () => {
      const now = await names(client);
      return now.includes('First') && !now.includes('Second');
    });
    await eventually('the end of the render', 60, async () => {
      const told = await client.callJson('jobs_get_status', { job_id: job.job_id });
      assert.notEqual(told.status, 'failed', JSON.stringify(told));
      return told.status === 'completed';
    });
  });
}

async function switched(step: Step, { url, rows, row, directory, client: first }: Started): Promise<void> {
  const next = async (how: string): Promise<void> => {
    const before = await row();
    const client = await connect(url, { protocolVersion: '2025-06-18' });
    const stream = await client.stream();
    await client.call('render_still', { width: 4096, height: 4096, samples: 4096, engine: 'CYCLES' });
    await eventually('a render', 20, async () => (await rendersOf(directory)).length > 0);
    await client.call('reload_addon', { how });
    const told = await stream.next(each => typeof each.params?.error === 'string');
    assert.match(String(told.params?.error), /^The host is gone \(it stopped\): the call had begun/);
    await eventually('the end of the render', 5, async () => (await rendersOf(directory)).length === 0);
    await eventually('another server', 20, async () => (await row().catch(() => before)).pid !== before.pid);
    const now = await row();
    assert.equal(now.instance_id, before.instance_id);
    await eventually('a call', 10, async () => {
      const again = await connect(url, { protocolVersion: '2025-06-18' });
      return (await again.call('create_object', { shape: 'empty', name: `After ${how}` })).isError !== true;
    });
    assert.equal((await rows()).length, 1);
  };
  await step('a second copy of the add-on says which one serves, and leaves it alone', async () => {
    const addons = join(directory, 'scripts', 'addons');
    await cp(join(addons, 'svc_blender'), join(addons, 'svc_copy'), { recursive: true });
    assert.match(
      text(await first.call('enable_copy', { module: 'svc_copy' })),
      /serves this application already, from .*svc_blender/,
    );
    assert.ok(textJson(await first.call('scene_info')).scene);
    assert.equal((await rows()).length, 1);
  });
  await step(
    'the add-on is disabled and enabled in the midst of a render: who wants it is told, and it is the same instance',
    () => next('addon'),
  );
  await step('all scripts are loaded again in the midst of a render: so it is then', () => next('scripts'));
}

async function filled(step: Step, { url }: Started): Promise<void> {
  const client = await connect(url, { protocolVersion: '2025-06-18' });
  await step('100,000 objects: told, bounded, in slices that nobody feels', async () => {
    await client.call('fill', { count: 100_000 });
    // Blender itself takes its time to fill it.
    await eventually('the scene', 120, async () => Number((await sceneOf(client)).object_count) > 100_000);
    const { objects, truncated } = await sceneOf(client);
    assert.deepEqual([(objects as Json[]).length, truncated], [1000, true]);
    const slices = JSON.parse(text(await client.call('snapshot_slices'))) as number[];
    console.log(
      `  slices: p50 ${percentile(slices, 50).toFixed(1)}, p99 ${percentile(slices, 99).toFixed(1)}, longest ${Math.max(...slices).toFixed(1)} ms`,
    );
    assert.ok(Math.max(...slices) < 250, `a slice took ${Math.max(...slices)} ms`);
    const listed = textJson(await client.call('list_objects', { name_contains: 'filled 9999', limit: 5 }));
    assert.equal((listed.objects as Json[]).length, 5);
    assert.equal(listed.total, 11);
  });
}

export const blenderHard: Application = {
  name: 'blender, the hard cases',
  missing: () => missingOf(['blender', 'xvfb-run']),
  run: step =>
    withApplication('blender', probed(blenderWindowCommand), async started => {
      await inTheHand(step, started);
      await switched(step, started);
      // The last: every undo step of Blender itself takes long from then on.
      await filled(step, started);
    }),
};
