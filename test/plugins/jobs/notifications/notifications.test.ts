import { expect, test } from 'vitest';
import { createBus } from '../../../../kernel/bus.ts';
import { createIds } from '../../../../kernel/index.ts';
import { createJobNotifications, progressOf } from '../../../../plugins/jobs/notifications/notifications.ts';
import { waitFor } from '../../../helper.ts';
import { type Fields, gate, rig, tool } from '../support.ts';

const updated = 'notifications/$/dcc.jobUpdated';
const progressed = 'notifications/progress';

test('MCP notifications: one jobUpdated per transition to the session that started the job, and to no other [spec:notify:job-updated spec:job-state:mapping]', async () => {
  const { client, connect, publish, ended } = await rig();
  const other = await connect();
  const [mine, theirs] = [await client.listen(), await other.listen()];
  publish(tool('work', async () => ({}), { execution: 'async' }));
  const { job_id } = await client.value('work');
  const record = await ended(job_id);
  const told = () => mine.filter(each => each.method === updated).map(each => each.params);
  await waitFor(() => told().length >= 3, 'three updates');
  expect(told().map(each => each.status)).toEqual(['pending', 'running', 'completed']);
  const { started_at, completed_at } = record;
  expect(told()[0]).toMatchObject({ job_id, tool: 'work', started_at: null, completed_at: null, error: null });
  expect(told()[1]).toMatchObject({ started_at, completed_at: null });
  expect(told()[2]).toEqual({
    job_id,
    parent_job_id: null,
    tool: 'work',
    status: 'completed',
    started_at,
    completed_at,
    error: null,
  });
  expect([...mine, ...theirs].filter(each => each.method === progressed)).toEqual([]);
  // A token adds progress and takes nothing away.
  await ended((await client.value('work', {}, { progressToken: 'tok', dcc: { async: true } })).job_id);
  await waitFor(() => told().length >= 6, 'three more updates');
  const progress = () => mine.filter(each => each.method === progressed).map(each => each.params.progress);
  await waitFor(() => progress().at(-1) === 100, 'the last progress');
  expect(progress()).toEqual([0, 10, 100]);
  expect(theirs.filter(each => [updated, progressed].includes(each.method))).toEqual([]);
});

test('notifications/progress: bound to the token, 0 to 10 to 100, only increasing, none after the terminal one [spec:notify:progress spec:notify:job-switch]', async () => {
  const { client, publish, ended } = await rig({ enable_job_notifications: false });
  const received = await client.listen();
  const door = gate();
  publish(
    tool('work', async (args, call) => {
      call.progress(5, 10, 'half');
      call.progress(10, 10);
      return door.handler(args, call);
    }),
  );
  const { job_id } = await client.value('work', {}, { progressToken: 'tok', dcc: { async: true } });
  await waitFor(() => door.running === 1, 'running');
  door.open();
  await ended(job_id);
  const told = (): Fields[] => received.filter(each => each.method === progressed).map(each => each.params);
  await waitFor(() => told().at(-1)?.progress === 100, 'the last progress');
  expect(told().every(each => each.progressToken === 'tok' && each.total === 100)).toBe(true);
  expect(told().map(each => [each.progress, each.message])).toEqual([
    [0, 'pending'],
    [10, 'running'],
    [55, 'half'],
    [99.91, 'running'],
    [100, 'completed'],
  ]);
  expect(received.filter(each => each.method === updated)).toEqual([]);
});

test('progress mapping: pending 0, running from 10, terminal states 100; no total still stays below 100', () => {
  expect(progressOf({ status: 'pending', progress: null })).toBe(0);
  expect(progressOf({ status: 'running', progress: null })).toBe(10);
  for (const status of ['completed', 'failed', 'cancelled', 'interrupted'] as const) {
    expect(progressOf({ status, progress: null })).toBe(100);
  }
  expect(progressOf({ status: 'running', progress: { current: 1e9 } })).toBeLessThan(100);
  expect(progressOf({ status: 'running', progress: { current: 0, total: 0 } })).toBe(10);
});

test('a job without a session is told to all; to nobody where callers authenticate', () => {
  const sent: unknown[] = [];
  const mcp = { notify: () => true, broadcast: (method: string) => void sent.push(method) };
  const bus = createBus(createIds(), () => undefined);
  bus.on('job.updated', createJobNotifications(mcp, true, () => guarded).updated);
  let guarded = false;
  const times = { started_at: null, completed_at: null };
  const attributes = { job_id: 'j', parent_job_id: null, tool: 't', status: 'running', error: null, ...times } as const;
  bus.emit('job.updated', { correlation: { job_id: 'j', progress_token: 1 }, attributes });
  expect(sent).toEqual([updated]);
  guarded = true;
  bus.emit('job.updated', { correlation: { job_id: 'j', progress_token: 1 }, attributes });
  expect(sent).toEqual([updated]);
});
