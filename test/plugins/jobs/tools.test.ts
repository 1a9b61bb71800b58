import { expect, test } from 'vitest';
import { assertDescriptions } from '../../descriptions.ts';
import { rig, tool } from './support.ts';

const names = ['jobs_get_status', 'jobs_cleanup', 'jobs_poll_contract', 'jobs_cancel'];

test('Built-in tools: the job tools are listed unconditionally, with three layers and their exact annotations', async () => {
  const { app } = await rig();
  const listed = app.tools.list().filter(each => names.includes(each.name));
  expect(listed.map(each => each.name)).toEqual(names);
  for (const each of listed) {
    assertDescriptions(each);
    const reads = ['jobs_get_status', 'jobs_poll_contract'].includes(each.name);
    expect(each.annotations).toEqual({
      title: each.title,
      read_only_hint: reads,
      destructive_hint: !reads,
      idempotent_hint: true,
      open_world_hint: false,
    });
  }
});

test('jobs_poll_contract: a result that declares a descriptor with one argument field registers its tool [spec:builtin:jobs_poll_contract spec:builtin:jobs_poll_contract-register spec:builtin:jobs_poll_contract-refused spec:builtin:jobs_poll_contract-unregistered]', async () => {
  const { client, publish, ended } = await rig();
  const poll = { owner: 'adapter', tool: 'farm_status', arguments: { ticket: 'T-9' } };
  publish(
    tool('farm', async () => ({ poll, output_dir: '/farm', output_extensions: ['EXR'] }), { execution: 'async' }),
    tool('two', async () => ({ poll: { ...poll, arguments: { a: 1, b: 2 } } }), { execution: 'async' }),
    tool('none', async () => ({ poll: { ...poll, arguments: {} } }), { execution: 'async' }),
    tool('bad', async () => ({ poll: { ...poll, owner: 'nobody' } }), { execution: 'async' }),
  );
  for (const name of ['farm', 'two', 'none', 'bad']) {
    const record = await ended((await client.value(name)).job_id);
    expect(record.adapter_job_id).toBe(name === 'farm' ? 'T-9' : undefined);
  }
  const farm = {
    registered: true,
    job_type: 'farm',
    poll: { owner: 'adapter', tool: 'farm_status', argument_field: 'ticket' },
    output: { dir: '/farm', extensions: ['.exr'] },
  };
  expect(await client.value('jobs_poll_contract', { job_type: ' farm ' })).toEqual(farm);
  for (const job_type of ['two', 'none', 'bad', 'nobody']) {
    expect(await client.value('jobs_poll_contract', { job_type })).toEqual({
      registered: false,
      job_type,
      reason: 'job_type_not_registered',
      hint: expect.stringMatching(/\S/),
    });
  }
  expect(await client.value('jobs_poll_contract', { job_type: ' ' })).toMatchObject({ reason: 'job_type_missing' });
  expect(await client.value('jobs_poll_contract')).toEqual({ job_types: [farm], total: 1 });
});

test('jobs_poll_contract: a tool that answers at once registers its type too; a failure and a built-in tool do not', async () => {
  const { client, publish, ended } = await rig();
  const poll = { owner: 'adapter', tool: 'farm_status', arguments: { ticket: 'T-9' } };
  const text = (value: unknown) => ({
    svcToolText: true,
    json: JSON.stringify(value),
    kind: 'object',
    success: undefined,
  });
  publish(
    tool('plain', () => ({ poll })),
    tool('nested', () => ({ context: { adapter_poll: poll } })),
    tool('content', () => ({ content: [{ type: 'text', text: 'x' }], structuredContent: { poll } })),
    tool('worker', async () => text({ poll, more: 1 })),
    tool('later', async () => text({ result: { poll } }), { execution: 'async' }),
    tool('failed', () => ({ success: false, message: 'no', poll })),
    tool('other', async () => text({ note: '"poll":{' })),
  );
  for (const name of ['plain', 'nested', 'content', 'worker', 'failed', 'other']) await client.call(name);
  await ended((await client.value('later')).job_id);
  const { job_types } = (await client.value('jobs_poll_contract')) as {
    job_types: { job_type: string; poll: unknown }[];
  };
  expect(job_types.map(each => each.job_type)).toEqual(['content', 'later', 'nested', 'plain', 'worker']);
  for (const each of job_types) {
    expect(each.poll).toEqual({ owner: 'adapter', tool: 'farm_status', argument_field: 'ticket' });
  }
});

test('jobs_poll_contract: the adapter registers a type directly; registering again replaces; blanks are refused [spec:builtin:jobs_poll_contract-direct]', async () => {
  const { client, app } = await rig();
  app.jobs.registerPoll('bake', { owner: 'core', tool: 'a' });
  const undo = app.jobs.registerPoll('bake', { owner: 'adapter', tool: 'b', argument_field: 'id' });
  const asked = () => client.value('jobs_poll_contract', { job_type: 'bake' });
  expect((await asked()).poll).toEqual({ owner: 'adapter', tool: 'b', argument_field: 'id' });
  await undo();
  expect((await asked()).registered).toBe(false);
  app.jobs.registerPoll('bake', { owner: 'core', tool: 'a' });
  expect((await asked()).poll).toEqual({ owner: 'core', tool: 'a', argument_field: 'job_id' });
  expect(() => app.jobs.registerPoll(' ', { owner: 'core', tool: 'a' })).toThrow(/job type/);
  expect(() => app.jobs.registerPoll('x', { owner: 'core', tool: ' ' })).toThrow(/names no tool/);
});
