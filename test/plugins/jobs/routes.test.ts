import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { type Fields, gate, rig, tool } from './support.ts';

interface Received {
  event: string;
  data: Fields;
}

/** Reads an event stream to its end. */
async function readAll(response: Response): Promise<Received[]> {
  return (await response.text())
    .split('\n\n')
    .filter(block => block.includes('data: '))
    .map(block => {
      const line = (name: string) =>
        block
          .split('\n')
          .find(each => each.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? '';
      return { event: line('event'), data: JSON.parse(line('data')) };
    });
}

test('GET /v1/jobs/{id}/events: every frame is named job; progress, then done, then the stream ends', async () => {
  const { client, publish, url } = await rig({ dcc_type: 'maya' });
  const door = gate();
  publish(
    tool(
      'work',
      async (args, call) => {
        call.progress(1, 2, 'first');
        return door.handler(args, call);
      },
      { execution: 'async' },
    ),
  );
  const { job_id } = await client.value('work', { n: 1 });
  await waitFor(() => door.running === 1, 'running');
  const response = await fetch(`${url}/v1/jobs/${job_id}/events`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  setTimeout(door.open, 30);
  const frames = await readAll(response);
  expect(frames.every(each => each.event === 'job')).toBe(true);
  expect(frames[0]?.data).toEqual({ type: 'progress', progress: 1, total: 2, message: 'first' });
  const result = { slug: 'maya.work', output: { n: 1 }, validation_skipped: false };
  expect(frames.at(-1)?.data).toEqual({ type: 'done', result });
  // A finished job answers at once.
  expect(await readAll(await fetch(`${url}/v1/jobs/${job_id}/events`))).toEqual([frames.at(-1)]);
});

test('GET /v1/jobs/{id}/events: a failed and a cancelled job end in a flat error; unknown is 404 not-found [spec:job-state:cancelled]', async () => {
  const { client, publish, url, ended } = await rig();
  const door = gate();
  publish(
    tool('fails', () => Promise.reject(new Error('broken lamp')), { execution: 'async' }),
    tool('waits', door.handler, { execution: 'async' }),
  );
  const { job_id } = await client.value('fails');
  await ended(job_id);
  const [failed] = await readAll(await fetch(`${url}/v1/jobs/${job_id}/events`));
  const error = { kind: 'job-failed', message: expect.stringContaining('broken lamp') };
  expect(failed?.data).toMatchObject({ type: 'error', error });

  const waits = await client.value('waits');
  const stream = fetch(`${url}/v1/jobs/${waits.job_id}/events`).then(readAll);
  await waitFor(() => door.running === 1, 'running');
  const cancelled = await fetch(`${url}/v1/jobs/${waits.job_id}`, { method: 'DELETE' });
  expect([cancelled.status, await cancelled.text()]).toEqual([204, '']);
  expect((await stream).at(-1)?.data).toMatchObject({ type: 'error', error: { kind: 'job-cancelled' } });
  expect(await ended(waits.job_id)).toMatchObject({ status: 'cancelled', completed_at: expect.any(String) });

  for (const [method, path] of [
    ['GET', '/v1/jobs/none/events'],
    ['DELETE', '/v1/jobs/none'],
  ] as const) {
    const response = await fetch(url + path, { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ kind: 'not-found', message: expect.stringContaining('none') });
  }
});

test('a server that closes interrupts its jobs and says so to all who listen; a reader that left holds nothing back', async () => {
  const { client, publish, url, app } = await rig();
  const door = gate();
  publish(tool('waits', door.handler, { execution: 'async' }));
  const { job_id } = await client.value('waits');
  const controller = new AbortController();
  await fetch(`${url}/v1/jobs/${job_id}/events`, { signal: controller.signal });
  controller.abort();
  const open = await fetch(`${url}/v1/jobs/${job_id}/events`);
  const heard = await client.listen();
  await app.close();
  const ending = {
    type: 'error',
    error: { kind: 'job-interrupted', message: expect.stringContaining('server restart') },
  };
  expect((await readAll(open)).at(-1)?.data).toMatchObject(ending);
  const of = (id: unknown) => heard.filter(each => each.params?.job_id === id).map(each => each.params.status);
  await waitFor(() => of(job_id).includes('interrupted'), 'the notification');
  expect(app.jobs.get(String(job_id))).toMatchObject({ status: 'interrupted', error: 'server restart' });
});

test('GET /v1/jobs: the newest first without results, as many as asked for; a wrong limit is refused', async () => {
  const { client, publish, url, ended } = await rig();
  const door = gate();
  publish(
    tool('done', async () => ({ big: 1 }), { execution: 'async' }),
    tool('waits', door.handler, { execution: 'async' }),
  );
  const first = String((await client.value('done')).job_id);
  await ended(first);
  const second = String((await client.value('waits')).job_id);
  const list = async (query = '') => (await fetch(`${url}/v1/jobs${query}`)).json() as Promise<{ jobs: Fields[] }>;
  const all = await list();
  expect(all).toMatchObject({ total: 2, jobs: [{ job_id: second }, { job_id: first, status: 'completed' }] });
  expect(all.jobs[1]).not.toHaveProperty('result');
  expect(await list('?limit=1')).toMatchObject({ total: 1, jobs: [{ job_id: second }] });
  for (const limit of ['0', '1001', 'x']) expect((await fetch(`${url}/v1/jobs?limit=${limit}`)).status).toBe(400);
  door.open();
});
