/** A host that is not Node: Blender in the background with our add-on, what its calls cost and how it ends. */
import { missingOf, type Started, withApplication } from '../hosts/application.ts';
import { blenderCommand } from '../hosts/blender.ts';
import { textJson } from '../spec/wire.ts';
import { type Bench, ms, percentile } from './bench.ts';

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
const wait = (time: number): Promise<void> => new Promise(resolve => setTimeout(resolve, time));

async function samples(count: number, paceMs: number, work: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index++) {
    const took = await timed(work);
    all.push(took);
    await wait(Math.max(0, paceMs - took));
  }
  return all;
}

async function measure({ client, child, rows }: Started, seconds: number) {
  const call = () => client.call('scene_info');
  await samples(50, 0, call);
  const main = await samples(seconds * 50, 20, call);
  const burst = await Promise.all(Array.from({ length: 500 }, call));
  const render = { width: 2048, height: 2048, samples: 1024, engine: 'CYCLES' };
  const job = textJson(await client.call('render_still', render));
  const status = async () => (await client.callJson('jobs_get_status', { job_id: job.job_id })).status;
  while ((await status()) !== 'running') await wait(10);
  const short = await samples(seconds * 20, 50, call);
  const cancelled = await timed(async () => {
    await client.call('jobs_cancel', { job_id: job.job_id });
    while ((await status()) === 'running') await wait(5);
  });
  const told = client.call('render_still', { ...render, path: '' }).catch(() => undefined);
  await told;
  const held = client.call('export_file', { path: '/dev/null/none.fbx' }).catch(() => undefined);
  const began = performance.now();
  process.kill(-Number(child.pid), 'SIGKILL');
  await held;
  const toldMs = performance.now() - began;
  while ((await rows()).length > 0) await wait(5);
  const goneMs = performance.now() - began;
  const row = (what: string, ours: string, figure: string, target: string) => ({ what, ours, figure, target });
  return [
    row('main-thread call p50', ms(percentile(main, 50)), `${main.length} calls at 50/s`, '<= 8 ms'),
    row('main-thread call p99', ms(percentile(main, 99)), `${main.length} calls at 50/s`, '<= 25 ms'),
    row('burst of 500', `${burst.filter(each => !each.isError).length} answered`, 'one client', 'all'),
    row('short call during a render p99', ms(percentile(short, 99)), `${short.length} calls`, '<= 100 ms'),
    row('cancel of the render', ms(cancelled), 'until the job says so', '<= 200 ms'),
    row('host killed: caller told', ms(toldMs), 'one kill', '<= 500 ms'),
    row('host killed: row gone', ms(goneMs), 'one kill', '<= 1000 ms'),
  ];
}

export const hosts: Bench = {
  name: 'hosts',
  title: 'Blender in the background, by its add-on',
  rounds: 1,
  async run({ seconds }) {
    const missing = await missingOf(['blender']);
    if (missing) throw new Error(`${missing} is not installed`);
    let rows: Awaited<ReturnType<typeof measure>> = [];
    await withApplication('blender', blenderCommand, async started => {
      rows = await measure(started, seconds);
    });
    return rows;
  },
};
