/**
 * A host that is not Node: Blender with our add-on, in the background and in a window. What its calls cost, how evenly it
 * goes on meanwhile, and how it ends.
 */
import { readFile } from 'node:fs/promises';
import { kill, missingOf, rendersOf, type Started, withApplication } from '../hosts/application.ts';
import { blenderCommand, blenderWindowCommand, probed } from '../hosts/blender.ts';
import { connect, textJson, type Wire } from '../spec/wire.ts';
import { type Bench, ms, percentile, type Row } from './bench.ts';

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
const wait = (time: number): Promise<void> => new Promise(resolve => setTimeout(resolve, time));
const row = (what: string, ours: string, figure: string, target: string): Row => ({ what, ours, figure, target });

async function samples(seconds: number, paceMs: number, work: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const took = await timed(work);
    all.push(took);
    await wait(Math.max(0, paceMs - took));
  }
  return all;
}

/** Seconds of processor that a process has used; where the system tells it otherwise nothing is measured. */
async function processorSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function share(pid: number, seconds: number): Promise<string> {
  const before = await processorSeconds(pid);
  await wait(seconds * 1000);
  return `${((((await processorSeconds(pid)) - before) / seconds) * 100).toFixed(1)} %`;
}

async function calls(where: string, client: Wire, seconds: number): Promise<Row[]> {
  const call = () => client.call('scene_info');
  await samples(1, 0, call);
  const main = await samples(seconds, 20, call);
  return [
    row(`main-thread call p50, ${where}`, ms(percentile(main, 50)), `${main.length} calls at 50/s`, '<= 8 ms'),
    row(`main-thread call p99, ${where}`, ms(percentile(main, 99)), `${main.length} calls at 50/s`, '<= 25 ms'),
  ];
}

async function inWindow({ client, row: told }: Started, seconds: number): Promise<Row[]> {
  const { host_pid, pid } = await told();
  // Its start is over.
  await wait(3000);
  const idle = [await share(host_pid, seconds), await share(pid, seconds)];
  const rows = await calls('window', client, seconds);
  await client.call('watch_timers', { on: true });
  await samples(seconds, 20, () => client.call('scene_info'));
  const gaps = (await client.callJson('timer_gaps')) as unknown as number[];
  await client.call('watch_timers', { on: false });
  return [
    ...rows,
    row('timer gap p99 at 50 calls/s', ms(percentile(gaps, 99)), `${gaps.length} gaps`, '<= 10 ms'),
    row('idle, Blender in a window', String(idle[0]), 'of a core', '<= 3 %'),
    row('idle, its server', String(idle[1]), 'of a core', 'none'),
  ];
}

async function whileRendering({ client, directory }: Started, seconds: number): Promise<Row[]> {
  const job = textJson(
    await client.call('render_still', { width: 2048, height: 2048, samples: 4096, engine: 'CYCLES' }),
  );
  const status = async () => (await client.callJson('jobs_get_status', { job_id: job.job_id })).status;
  while ((await rendersOf(directory)).length === 0) await wait(10);
  const short = await samples(seconds, 50, () => client.call('scene_info'));
  const began = performance.now();
  await client.call('jobs_cancel', { job_id: job.job_id });
  while ((await status()) === 'running') await wait(5);
  const cancelled = performance.now() - began;
  while ((await rendersOf(directory)).length > 0) await wait(5);
  const left = performance.now() - began;
  return [
    row('short call during a render p99', ms(percentile(short, 99)), `${short.length} calls`, '<= 100 ms'),
    row('cancel of the render', ms(cancelled), 'until the job says so', '<= 200 ms'),
    row('cancel of the render: no process', ms(left), 'one cancel', '<= 2000 ms'),
  ];
}

async function held({ client, url }: Started): Promise<Row> {
  const other = await connect(url, { protocolVersion: '2025-06-18' });
  const holding = client.call('hold_interpreter', { seconds: 5 });
  await wait(200);
  const lists = await samples(4, 20, () => other.result('tools/list'));
  await holding;
  return row(
    'tools/list p99, interpreter held',
    ms(percentile(lists, 99)),
    `${lists.length} lists in 4 s`,
    '<= 150 ms',
  );
}

async function killed({ url, row: told, rows }: Started): Promise<Row[]> {
  const first = await told();
  let began = performance.now();
  kill(first.pid);
  let again: Wire | undefined;
  const isBack = async (): Promise<boolean> => {
    again = await connect(url, { protocolVersion: '2025-06-18' }).catch(() => undefined);
    if (!again || (await again.call('scene_info')).isError) return false;
    const { contents } = await again.result('resources/read', { uri: 'scene://current' });
    return JSON.stringify(contents).includes('Camera') && (await told()).instance_id === first.instance_id;
  };
  while (!(await isBack().catch(() => false))) await wait(10);
  const back = performance.now() - began;
  const open = again?.call('hold_interpreter', { seconds: 2 }).catch(() => undefined);
  await wait(200);
  began = performance.now();
  kill(first.host_pid);
  await open;
  const toldMs = performance.now() - began;
  while ((await rows()).length > 0) await wait(5);
  const goneMs = performance.now() - began;
  return [
    row('server killed: back as the same', ms(back), 'id, tools, scene', '<= 3000 ms'),
    row('host killed: caller told', ms(toldMs), 'one kill', '<= 500 ms'),
    row('host killed: row gone', ms(goneMs), 'one kill', '<= 1000 ms'),
  ];
}

export const hosts: Bench = {
  name: 'hosts',
  title: 'Blender by its add-on, in the background and in a window',
  rounds: 1,
  async run({ seconds }) {
    const missing = await missingOf(['blender', 'xvfb-run', 'ps']);
    if (missing) throw new Error(`${missing} is not installed`);
    const rows: Row[] = [];
    await withApplication('blender', probed(blenderCommand), async started => {
      const { client } = started;
      rows.push(...(await calls('background', client, seconds)));
      const burst = await Promise.all(Array.from({ length: 500 }, () => client.call('scene_info')));
      rows.push(row('burst of 500', `${burst.filter(each => !each.isError).length} answered`, 'one client', 'all'));
      rows.push(...(await whileRendering(started, seconds)), await held(started), ...(await killed(started)));
    });
    await withApplication('blender', probed(blenderWindowCommand), async started => {
      rows.push(...(await inWindow(started, seconds)));
    });
    return rows;
  },
};
