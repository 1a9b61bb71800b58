/** What can go wrong only when a transition is stored later than it happens. */
process.env.SVC_TEST_STORES = 'slow-memory';

import { expect, test } from 'vitest';
import type { Rig } from '../plugins/jobs/support.ts';

const { gate, rig, tool } = await import('../plugins/jobs/support.ts');
const asyncTool = { execution: 'async' } as const;

const statesOf = ({ changes }: Rig, id: unknown) =>
  changes.filter(({ kind, row }) => kind === 'transition' && row.job_id === id).map(({ row }) => row.status);

test('a receipt is given once the job is stored, and then the job is known', async () => {
  const made = await rig();
  const door = gate();
  made.publish(tool('work', door.handler, asyncTool));
  const pending = made.app.jobs.submit({ jobId: 'mine', tool: 'x', run: async () => ({ content: [] }) });
  expect([pending, made.app.jobs.get('mine')]).toEqual([expect.any(Promise), undefined]);
  expect(await pending).toBe('mine');
  expect(await made.app.jobs.get('mine')).toMatchObject({ status: 'pending' });
  await made.ended('mine');
  expect(statesOf(made, 'mine')).toEqual(['pending', 'running', 'completed']);
});

test('a job that is cancelled while its first row is stored never begins', async () => {
  const made = await rig();
  let ran = false;
  const work = async () => {
    ran = true;
    return { content: [] };
  };
  const pending = made.app.jobs.submit({ jobId: 'j', tool: 'x', run: work });
  expect(await made.app.jobs.cancel('j')).toBe(true);
  await pending;
  expect(await made.ended('j')).toMatchObject({ status: 'cancelled' });
  expect([ran, statesOf(made, 'j'), made.app.jobs.active]).toEqual([
    false,
    ['pending', 'cancelled'],
    { pending: 0, running: 0 },
  ]);
});

test('a call that its client cancels before the receipt cancels the job', async () => {
  const made = await rig();
  const door = gate();
  made.publish(tool('work', door.handler, asyncTool));
  const controller = new AbortController();
  const call = made.app.tools.call({ name: 'work', args: {}, signal: controller.signal });
  await new Promise(resolve => setImmediate(resolve));
  controller.abort();
  await call.catch(() => undefined);
  const { row } = made.changes[0] ?? { row: { job_id: '' } };
  expect(await made.ended(row.job_id)).toMatchObject({ status: 'cancelled', error: expect.stringContaining('caller') });
  expect(door.most).toBe(0);
});

test('the bound of waiting jobs holds while their first rows are stored', async () => {
  const made = await rig({ max_pending_jobs: 3 });
  const work = { tool: 'x', run: async () => ({ content: [] }) };
  const ids = [1, 2, 3].map(() => made.app.jobs.submit(work));
  expect(() => made.app.jobs.submit(work)).toThrow('max_pending_jobs');
  for (const id of ids) expect((await made.ended(await id)).status).toBe('completed');
});

test('a child that arrives while its parent is cancelled is cancelled too', async () => {
  const made = await rig();
  const door = gate();
  const parent = await made.app.jobs.submit({
    tool: 'parent',
    run: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  });
  await expect.poll(async () => (await made.app.jobs.get(parent))?.status).toBe('running');
  const child = made.app.jobs.submit({
    jobId: 'child',
    tool: 'child',
    parentJobId: parent,
    run: door.handler as never,
  });
  await Promise.all([child, made.app.jobs.cancel(parent)]);
  expect(await made.ended('child')).toMatchObject({ status: 'cancelled', error: expect.stringContaining('parent') });
  expect([(await made.ended(parent)).status, door.most]).toEqual(['cancelled', 0]);
});

test('the shutdown waits until every job is stored as it ended: waiting, arriving, running, ending', async () => {
  const made = await rig({ max_running_jobs: 2 });
  const { jobs } = made.app;
  const door = gate();
  const submit = (jobId: string, run: () => Promise<Record<string, unknown>>) =>
    jobs.submit({ jobId, tool: jobId, run });
  await submit('running', () => new Promise(() => undefined));
  await submit('ending', () => door.handler({}, { signal: new AbortController().signal } as never) as never);
  await expect.poll(() => jobs.active.running).toBe(2);
  await expect.poll(() => door.running).toBe(1);
  await submit('waiting', async () => ({}));
  const arriving = submit('arriving', async () => ({}));
  door.open();
  await new Promise(resolve => setImmediate(resolve));
  await made.app.close();
  await arriving;
  const newest = new Map(made.changes.map(({ row }) => [row.job_id, row.status]));
  expect(Object.fromEntries(newest)).toEqual({
    running: 'interrupted',
    ending: 'completed',
    waiting: 'interrupted',
    arriving: 'interrupted',
  });
  for (const id of newest.keys()) {
    expect((await jobs.get(id))?.status).toBe(newest.get(id));
    expect(statesOf(made, id).filter(each => each !== 'pending' && each !== 'running')).toHaveLength(1);
  }
});

test('a job that ends while it is asked for shows one state after the other and never goes back', async () => {
  const made = await rig();
  const order = ['pending', 'running', 'completed'];
  const ids = await Promise.all(
    Array.from({ length: 20 }, () => made.app.jobs.submit({ tool: 'x', run: async () => ({ content: [] }) })),
  );
  const watch = async (id: string): Promise<number[]> => {
    const states: number[] = [];
    while (states.at(-1) !== 2) {
      states.push(order.indexOf((await made.app.jobs.get(id))?.status ?? ''));
      await new Promise(resolve => setImmediate(resolve));
    }
    return states;
  };
  const seen = await Promise.all(ids.map(watch));
  for (const states of seen) expect(states).toEqual([...states].sort());
  for (const id of ids) expect(statesOf(made, id)).toEqual(order);
});
