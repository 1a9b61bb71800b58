import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { gate, rig, tool } from './support.ts';

const asyncTool = { execution: 'async' } as const;

test('cancel: a handler that ignores its signal is stopped after job_cancel_grace_ms', async () => {
  const { client, publish, ended, app } = await rig({ job_cancel_grace_ms: 50 });
  publish(tool('deaf', () => new Promise(() => undefined), asyncTool));
  const { job_id } = await client.value('deaf');
  await waitFor(async () => (await app.jobs.get(String(job_id)))?.status === 'running', 'running');
  expect(await app.jobs.cancel(String(job_id))).toBe(true);
  expect(await ended(job_id)).toMatchObject({ status: 'cancelled', error: expect.stringContaining('cancelled') });
  expect(await app.jobs.cancel(String(job_id))).toBe(true);
  expect(await app.jobs.cancel('nobody')).toBe(false);
  expect(app.jobs.active.running).toBe(0);
});

test('cancel: a pending job never begins', async () => {
  const { client, publish, ended, app, changes } = await rig({ max_running_jobs: 1 });
  const door = gate();
  publish(tool('work', door.handler, asyncTool));
  const first = await client.value('work');
  const second = await client.value('work');
  await app.jobs.cancel(String(second.job_id));
  expect(await ended(second.job_id)).toMatchObject({ status: 'cancelled' });
  door.open();
  await ended(first.job_id);
  const states = changes.filter(each => each.row.job_id === second.job_id).map(each => each.row.status);
  expect(states).toEqual(['pending', 'cancelled']);
});

test('a job survives the disconnect and the end of the session that started it', async () => {
  const { client, publish, ended, url, connect } = await rig();
  const door = gate();
  publish(tool('work', door.handler, asyncTool));
  const other = await connect();
  const { job_id } = await other.value('work', { n: 1 });
  await waitFor(() => door.running === 1, 'running');
  const gone = await fetch(`${url}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': other.session } });
  expect(gone.status).toBe(204);
  door.open();
  expect(await ended(job_id)).toMatchObject({ status: 'completed', result: { structuredContent: { n: 1 } } });
  expect(client.session).not.toBe(other.session);
});
