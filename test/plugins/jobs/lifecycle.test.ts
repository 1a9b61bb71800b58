import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { gate, rig, tool } from './support.ts';

const asyncTool = { execution: 'async' } as const;
const states = (changes: { kind: string; row: { status?: string; job_id: string } }[], id: unknown) =>
  changes.filter(each => each.kind === 'transition' && each.row.job_id === id).map(each => each.row.status);

test('Job states: pending, running, completed, with timestamps that follow [spec:shape:job]', async () => {
  const { client, publish, ended, changes, app } = await rig();
  const door = gate();
  const seen: unknown[] = [];
  app.kernel.bus.on('job.*', ({ name, attributes, correlation }) =>
    seen.push([name, attributes.status, correlation.session_id]),
  );
  publish(tool('work', door.handler, asyncTool));
  const { job_id } = await client.value('work', { a: 1 });
  const running = await waitFor(async () => {
    const record = await client.value('jobs_get_status', { job_id });
    return record.status === 'running' ? record : undefined;
  }, 'running');
  expect(running).toMatchObject({ completed_at: null, progress: null, error: null, parent_job_id: null });
  expect(running).not.toHaveProperty('result');
  expect(running.started_at).toBe(running.updated_at);
  door.open();
  const record = await ended(job_id);
  expect(record.completed_at).toBe(record.updated_at);
  expect(record.result).toMatchObject({ structuredContent: { a: 1 } });
  expect(await client.value('jobs_get_status', { job_id, include_result: false })).not.toHaveProperty('result');
  expect(states(changes, job_id)).toEqual(['pending', 'running', 'completed']);
  expect(seen).toEqual(['pending', 'running', 'completed'].map(each => ['job.updated', each, client.session]));
});

test('Job states: a handler that throws, and a result that reports a failure, are failed jobs [spec:job-state:failed]', async () => {
  const { client, publish, ended } = await rig();
  publish(
    tool('throws', () => Promise.reject(new Error('no disk space')), asyncTool),
    tool('reports', async () => ({ success: false, message: 'nothing to render' }), asyncTool),
  );
  const thrown = await ended((await client.value('throws')).job_id);
  expect(thrown).toMatchObject({ status: 'failed', error: expect.stringContaining('no disk space') });
  const reported = await ended((await client.value('reports')).job_id);
  expect(reported).toMatchObject({ status: 'failed', error: 'nothing to render', result: { isError: true } });
});

test('a result beyond max_result_bytes fails the job with a sentence that says what to do', async () => {
  const { client, publish, ended } = await rig({ max_result_bytes: 2048 });
  publish(
    tool('big', async () => ({ data: 'x'.repeat(5000) }), asyncTool),
    tool(
      'text',
      async () => ({ svcToolText: true, json: '"y"'.padEnd(5000), kind: 'text', success: undefined }),
      asyncTool,
    ),
  );
  expect(await ended((await client.value('big')).job_id)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(
      /is at least 5011 bytes long, at most 2048 are taken \(max_result_bytes\): write it to a file/,
    ),
  });
  expect(await ended((await client.value('text')).job_id)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/at most 2048 are taken \(max_result_bytes\): write it to a file/),
  });
});

test('Job record: progress never runs backwards, total is never below current, NaN is dropped [spec:job:reported]', async () => {
  const { client, publish, ended, changes } = await rig();
  const reports: [number, number?, string?][] = [
    [2, 10, 'two'],
    [1, 10],
    [Number.NaN, 10],
    [12, 10],
    [13, Number.NaN],
    [-5],
  ];
  publish(
    tool(
      'work',
      async (_args, call) => {
        for (const report of reports) call.progress(...report);
        return {};
      },
      asyncTool,
    ),
  );
  const record = await ended((await client.value('work')).job_id);
  expect(record.progress).toEqual({ current: 13, total: 13 });
  expect(record.counter_source ?? 'reported').toBe('reported');
  expect(record).not.toHaveProperty('reported_current');
  const shown = changes.filter(each => each.kind === 'progress').map(each => each.row.progress);
  expect(shown).toEqual([
    { current: 2, total: 10, message: 'two' },
    { current: 12, total: 12 },
    { current: 13, total: 13 },
  ]);
});

test('Errors 1: an unknown job_id is a result with isError whose text names the id, and makes no job [spec:error:unknown-job]', async () => {
  const { client, changes } = await rig();
  const { result } = await client.call('jobs_get_status', { job_id: 'no-such-job' });
  expect(result).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: expect.stringContaining('no-such-job') }],
  });
  expect(changes).toEqual([]);
  expect((await client.call('jobs_get_status', {})).result?.content?.[0]?.text).toContain('job_id');
});

test('concurrency: at most max_running_jobs_per_tool of a tool, max_running_jobs in all, the rest in order', async () => {
  const { client, publish, ended, app } = await rig({ max_running_jobs: 3, max_running_jobs_per_tool: 2 });
  const [a, b] = [gate(), gate()];
  publish(tool('a', a.handler, asyncTool), tool('b', b.handler, asyncTool));
  const ids: unknown[] = [];
  for (const name of ['a', 'a', 'a', 'b', 'b']) ids.push((await client.value(name)).job_id);
  await waitFor(() => app.jobs.active.running === 3, 'three running');
  expect([a.running, b.running, app.jobs.active.pending]).toEqual([2, 1, 2]);
  a.open();
  await ended(ids[2]);
  b.open();
  for (const id of ids) expect((await ended(id)).status).toBe('completed');
  expect([a.most, b.most, app.jobs.active.running]).toEqual([2, 2, 0]);
});

test('affinity main: jobs of different tools take turns, one at a time', async () => {
  const { client, publish, ended } = await rig();
  let [running, most] = [0, 0];
  const handler = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(resolve => setTimeout(resolve, 5));
    running -= 1;
    return {};
  };
  const main = { ...asyncTool, affinity: 'main' } as const;
  publish(tool('m1', handler, main), tool('m2', handler, main));
  const ids = await Promise.all(['m1', 'm2', 'm1', 'm2'].map(async name => (await client.value(name)).job_id));
  for (const id of ids) expect((await ended(id)).status).toBe('completed');
  expect(most).toBe(1);
});

test('more than max_pending_jobs: the call fails and says so, nothing else is lost', async () => {
  const { client, publish, ended } = await rig({ max_running_jobs: 1, max_pending_jobs: 2 });
  const door = gate();
  publish(tool('work', door.handler, asyncTool));
  const ids = [(await client.value('work')).job_id];
  await waitFor(() => door.running === 1, 'the first job');
  ids.push((await client.value('work')).job_id, (await client.value('work')).job_id);
  expect((await client.call('work')).result).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: expect.stringContaining('max_pending_jobs') }],
    _meta: { dcc: { error: { code: 'SVC_JOBS_TOO_MANY', kind: 'throttled', number: -32005 } } },
  });
  door.open();
  for (const id of ids) expect((await ended(id)).status).toBe('completed');
});

test('finished jobs in memory are bounded: the oldest go first', async () => {
  const { client, publish, ended } = await rig({ max_kept_jobs: 2 });
  publish(tool('quick', async () => ({}), asyncTool));
  const ids: unknown[] = [];
  for (let n = 0; n < 4; n += 1) {
    ids.push((await client.value('quick')).job_id);
    await ended(ids[n]);
  }
  const known = await Promise.all(
    ids.map(async job_id => (await client.call('jobs_get_status', { job_id })).result?.isError !== true),
  );
  expect(known).toEqual([false, false, true, true]);
});
