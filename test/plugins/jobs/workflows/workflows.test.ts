import { expect, test } from 'vitest';
import type { ServerOptions } from '../../../../plugins/index.ts';
import type { WorkflowInput } from '../../../../plugins/jobs/workflows/api.ts';
import { workflowsPlugin } from '../../../../plugins/jobs/workflows/index.ts';
import { waitFor } from '../../../helper.ts';
import { type Fields, gate, type Rig, rig, tool } from '../support.ts';

const updated = 'notifications/$/dcc.workflowUpdated';

/** A rig with workflows, a listening client, and the workflow notifications that it received. */
async function flows(options: ServerOptions = {}) {
  const made = await rig(options, [workflowsPlugin]);
  const received = await made.client.listen();
  const told = (): Fields[] => received.filter(each => each.method === updated).map(each => each.params);
  const steps: string[] = [];
  made.publish(
    tool('add', ({ a, b }) => {
      steps.push('add');
      return { sum: Number(a) + Number(b), parts: [a, b] };
    }),
    tool('say', ({ text }) => String(text)),
    tool('fail', () => ({ success: false, message: 'no disk' })),
    tool('explode', () => {
      throw new Error('bang');
    }),
  );
  return { ...made, told, steps };
}

const run = ({ app }: Rig, steps: WorkflowInput['steps'], workflow_id = 'w') =>
  app.workflows.run({ workflow_id, steps });
const add = (id: string, a: unknown = 1, b: unknown = 2) => ({ id, tool: 'add', arguments: { a, b } });

test('workflowUpdated on step enter, step terminal and workflow terminal, with exactly its fields [spec:shape:job-notifications spec:notify:workflow-updated]', async () => {
  const made = await flows();
  const { job_id, workflow_id } = await run(made, [add('one'), add('two')]);
  const record = await made.ended(job_id);
  expect(record).toMatchObject({ status: 'completed', tool: 'workflow', progress: { current: 2, total: 2 } });
  await waitFor(() => made.told().length >= 5, 'five updates');
  const update = (status: string, current_step_id: string | null, completed_steps: number) => ({
    workflow_id,
    job_id,
    status,
    current_step_id,
    progress: { completed_steps, total_steps: 2 },
  });
  expect(made.told()).toEqual([
    update('running', 'one', 0),
    update('running', 'one', 1),
    update('running', 'two', 1),
    update('running', 'two', 2),
    update('completed', null, 2),
  ]);
});

test('enable_job_notifications false: nothing of a workflow is told', async () => {
  const made = await flows({ enable_job_notifications: false });
  await made.ended((await run(made, [add('one')])).job_id);
  expect(made.told()).toEqual([]);
});

test.each([
  ['fail', 'no disk'],
  ['explode', 'bang'],
  ['unknown_tool', 'unknown_tool'],
])('the first step that fails ends the workflow: %s', async (failing, reason) => {
  const made = await flows();
  const { job_id } = await run(made, [add('one'), { id: 'bad', tool: failing }, add('never')]);
  const record = await made.ended(job_id);
  expect(record).toMatchObject({ status: 'failed', progress: { current: 1, total: 3 } });
  expect(record.error).toMatch(/^step "bad" \(\w+\) failed: /);
  expect(record.error).toContain(reason);
  expect(made.steps).toEqual(['add']);
  await waitFor(() => made.told().at(-1)?.status === 'failed', 'the end');
  expect(made.told().at(-1)).toMatchObject({
    current_step_id: 'bad',
    progress: { completed_steps: 1, total_steps: 3 },
  });
});

test('a step uses what earlier steps returned: whole values keep their type, within a text they are written out', async () => {
  const made = await flows();
  const { job_id } = await run(made, [
    add('one', 2, 3),
    add('two', '{{steps.one.sum}}', '{{ steps.one.parts.1 }}'),
    { id: 'three', tool: 'say', arguments: { text: '{{steps.two.sum}} of {{steps.one.parts}}' } },
    { id: 'four', tool: 'say', arguments: { text: '<{{steps.three}}>' } },
  ]);
  const record = await made.ended(job_id);
  const steps = (record.result as { structuredContent: { steps: Fields[] } }).structuredContent.steps;
  expect(steps.map(each => each.result)).toEqual([
    { sum: 5, parts: [2, 3] },
    { sum: 8, parts: [5, 3] },
    '8 of [2,3]',
    '<8 of [2,3]>',
  ]);
  const lost = await made.ended((await run(made, [add('one'), add('two', '{{steps.one.constructor}}')])).job_id);
  expect(lost.error).toMatch(/step "two".*has no "constructor"/);
});

test('a cancelled workflow stops its step, runs no other and ends as cancelled', async () => {
  const made = await flows();
  const door = gate();
  made.publish(tool('wait', door.handler));
  const { job_id } = await run(made, [{ id: 'long', tool: 'wait' }, add('never')]);
  await waitFor(() => door.running === 1, 'running');
  expect(await made.app.jobs.cancel(job_id)).toBe(true);
  expect(await made.ended(job_id)).toMatchObject({ status: 'cancelled' });
  expect([door.running, made.steps]).toEqual([0, []]);
  await waitFor(() => made.told().at(-1)?.status === 'cancelled', 'the end');
  expect(made.told().at(-1)).toMatchObject({ current_step_id: 'long', progress: { completed_steps: 0 } });
});

test('a workflow cancelled before it began tells its end and nothing else', async () => {
  const made = await flows({ max_running_jobs: 1 });
  const door = gate();
  made.publish(tool('wait', door.handler));
  const first = await run(made, [{ id: 'long', tool: 'wait' }], 'first');
  const second = await run(made, [add('one')], 'second');
  await waitFor(() => door.running === 1, 'running');
  await made.app.jobs.cancel(second.job_id);
  door.open();
  await made.ended(first.job_id);
  await waitFor(() => made.told().length >= 4, 'the ends');
  expect(made.told().filter(each => each.workflow_id === 'second')).toMatchObject([
    { status: 'cancelled', current_step_id: null, progress: { completed_steps: 0, total_steps: 1 } },
  ]);
});

test('an async tool runs within the job of the workflow, which has no other', async () => {
  const made = await flows();
  made.publish(tool('bake', async () => ({ baked: true }), { execution: 'async' }));
  const { job_id } = await run(made, [{ id: 'one', tool: 'bake' }]);
  await made.ended(job_id);
  expect(new Set(made.changes.map(each => each.row.job_id))).toEqual(new Set([job_id]));
});

test('svc.run_workflow: code inside reaches it, clients neither see nor call it; its job belongs to the calling job', async () => {
  const made = await flows();
  const steps = [add('one')];
  made.publish(
    tool(
      'outer',
      async (_, { job }) => made.app.tools.call({ name: 'svc.run_workflow', args: { steps }, internal: true, job }),
      { execution: 'async' },
    ),
  );
  const other = await (await made.connect()).listen();
  expect((await made.client.call('svc.run_workflow', { steps })).error?.code).toBe(-32602);
  const { job_id } = await made.client.value('outer');
  const outer = await made.ended(job_id);
  const receipt = (outer.result as { structuredContent: Fields }).structuredContent;
  expect(await made.ended(receipt.job_id)).toMatchObject({ status: 'completed', parent_job_id: job_id });
  await waitFor(() => made.told().at(-1)?.status === 'completed', 'the end');
  expect(made.told().every(each => each.workflow_id === receipt.workflow_id)).toBe(true);
  expect(other.filter(each => each.method === updated)).toEqual([]);
});

test.each([
  [{ steps: [] }, /steps/],
  [{ steps: [{ id: 'a b', tool: 'add' }] }, /id/],
  [{ steps: [{ id: 'a' }] }, /tool/],
  [{ steps: [add('a'), add('a')] }, /two steps have the id "a"/],
  [{ steps: [add('a', '{{steps.b.x}}'), add('b')] }, /step "a" refers to step "b", which does not come before/],
  [{ steps: [add('a')], more: 1 }, /more/],
  [null, /not valid/],
])('a workflow that is not valid is refused and starts no job: %j', async (input, reason) => {
  const { app, changes } = await flows();
  await expect(app.workflows.run(input as unknown as WorkflowInput)).rejects.toThrow(reason);
  expect(changes).toEqual([]);
});

test('a server that closes in the middle of a workflow interrupts it and leaves nothing behind', async () => {
  const made = await flows({ job_cancel_grace_ms: 50 });
  const door = gate();
  made.publish(tool('wait', door.handler));
  await run(made, [{ id: 'long', tool: 'wait' }]);
  await waitFor(() => door.running === 1, 'running');
  await made.app.close();
  expect(made.changes.at(-1)?.row).toMatchObject({ status: 'interrupted' });
});
