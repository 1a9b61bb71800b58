/** Background jobs: admission, the record, the jobs_* tools, notifications. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { tempDir, waitFor } from '../helper.ts';
import { namesOf, skillFolder, startConnected, startInside } from './fixture.ts';
import {
  asyncTool,
  ended,
  gate,
  type JobDefinition,
  launch,
  recordOf,
  recordWhen,
  running,
  serveJobs,
} from './jobs-fixture.ts';
import { verifies } from './verifies.ts';
import { type Json, type RpcMessage, textJson } from './wire.ts';

const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const isReceipt = ({ structuredContent }: Json): boolean =>
  (structuredContent as Json | undefined)?.job_id !== undefined;

describe('admission', () => {
  const plain: JobDefinition = { execution: undefined };

  verifies(['admission:async', 'admission:receipt'], 'async tools and dcc.async make jobs', async () => {
    const { client } = await serveJobs({ long: [args => args], short: [args => args, plain] });
    for (const [name, meta] of [
      ['long', undefined],
      ['short', { dcc: { async: true } }],
    ] as const) {
      const result = await client.call(name, { n: 1 }, meta);
      const receipt = result.structuredContent as Json;
      const job_id = String(receipt.job_id);
      expect(job_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(textJson(result)).toEqual(receipt);
      expect(receipt).toMatchObject({
        status: 'pending',
        core_poll: { owner: 'core', tool: 'jobs_get_status', arguments: { job_id, include_result: true } },
      });
      expect(await ended(client, job_id)).toMatchObject({ status: 'completed', tool: name });
    }
    expect(await client.callJson('short', { n: 1 })).toEqual({ n: 1 });
    for (const dcc of [{ async: false }, { async: 'true' }, { async: 1 }, null, []]) {
      expect(isReceipt(await client.call('short', { n: 1 }, { dcc })), JSON.stringify(dcc)).toBe(false);
    }
  });

  verifies(
    ['admission:token', 'mcp:progress-token', 'admission:sync'],
    'string and number tokens opt in, other values do not',
    async () => {
      const { client } = await serveJobs({ work: [args => args, plain], quick: [args => args, { execution: 'sync' }] });
      for (const progressToken of ['a', '', 0, 7, 1.5]) {
        const result = await client.call('work', {}, { progressToken });
        expect(isReceipt(result), JSON.stringify(progressToken)).toBe(true);
        expect(isReceipt(await client.call('quick', {}, { progressToken }))).toBe(false);
      }
      for (const progressToken of [null, true, false, [], ['a'], {}, { a: 1 }]) {
        const result = await client.call('work', {}, { progressToken });
        expect(isReceipt(result), JSON.stringify(progressToken)).toBe(false);
      }
    },
  );

  verifies(['admission:alias'], 'over REST the alias counts only where progressToken is absent', async () => {
    const { client, service } = await serveJobs({ work: [() => ({ done: true }), { ...plain, dcc: 'maya' }] });
    const base = new URL('/v1/', service.mcpUrl());
    const send = async (path: string, body: Json) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const answer = await fetch(new URL(path, base), { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as Json;
    };
    const { hits } = (await send('search', { query: 'work' })) as { hits: Json[] };
    const tool_slug = hits.map(({ slug }) => slug).find(slug => String(slug).endsWith('work'));
    const call = async (meta: Json) => (await send('call', { tool_slug, params: {}, meta })).output as Json;
    expect((await call({ progress_token: 'a' })).job_id).toBeTruthy();
    expect((await call({ progressToken: 'a' })).job_id).toBeTruthy();
    expect(await call({ progress_token: 'a', progressToken: null })).toEqual({ done: true });
    expect(await call({ progress_token: null })).toEqual({ done: true });
    expect(await client.result('ping')).toEqual({});
  });
});

describe('the record', () => {
  verifies(
    [
      'builtin:jobs_get_status',
      'builtin:jobs_get_status-output',
      'job:fields',
      'job:timestamps',
      'job-state:completed',
    ],
    'a job goes from pending to running to completed',
    async () => {
      const door = gate();
      const { client } = await serveJobs({ work: [door.handler] }, { max_running_jobs_per_tool: 1 });
      const first = await launch(client, 'work', { n: 1 });
      const second = await launch(client, 'work', { n: 2 });
      const untouched = { parent_job_id: null, tool: 'work', error: null, completed_at: null };
      const waiting = await recordOf(client, second);
      expect(waiting).toMatchObject({ ...untouched, job_id: second, status: 'pending', started_at: null });
      const at_work = await running(client, first);
      expect(at_work).toMatchObject({ ...untouched, job_id: first });
      door.open();
      const result = await client.call('jobs_get_status', { job_id: (await ended(client, first)).job_id });
      const record = result.structuredContent as Json;
      expect(textJson(result)).toEqual(record);
      expect(result.isError ?? false).toBe(false);
      expect(record).toMatchObject({ status: 'completed', error: null, result: { structuredContent: { n: 1 } } });
      for (const name of ['created_at', 'started_at', 'completed_at', 'updated_at']) {
        expect(record[name], name).toBe(new Date(String(record[name])).toISOString());
      }
      expect(record).toHaveProperty('progress');
      expect(await ended(client, second)).toMatchObject({ status: 'completed' });
    },
  );

  verifies(
    ['builtin:jobs_get_status-input', 'job:result'],
    'the result comes once the job is terminal, unless it is not wanted',
    async () => {
      const door = gate();
      const { client } = await serveJobs({ work: [door.handler] });
      const id = await launch(client, 'work', { n: 1 });
      expect(await running(client, id)).not.toHaveProperty('result');
      door.open();
      const record = await ended(client, id);
      expect(record).toHaveProperty('result');
      const { result: _, ...rest } = record;
      expect(await recordOf(client, id, { include_result: false })).toEqual(rest);
      expect(await recordOf(client, id, { include_result: true })).toEqual(record);
      expect(await recordOf(client, id, { include_logs: true })).toEqual(record);
      const refused = await client.request('tools/call', { name: 'jobs_get_status', arguments: {} });
      expect(JSON.stringify(refused.error ?? refused.result)).toContain('job_id');
    },
  );

  verifies(['error:unknown-job'], 'an unknown id is a result with isError that names it', async () => {
    const { client } = await startConnected();
    const job_id = '00000000-0000-4000-8000-000000000000';
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await client.request('tools/call', { name: 'jobs_get_status', arguments: { job_id } });
      expect(answer.error).toBeUndefined();
      expect(answer.result?.isError).toBe(true);
      expect(JSON.stringify(answer.result?.content)).toContain(job_id);
    }
  });

  verifies(['job-state:failed'], 'a job whose tool fails is failed and says why', async () => {
    const { client } = await serveJobs({
      thrown: [() => Promise.reject(new Error('the mesh is empty'))],
      reported: [() => ({ success: false, message: 'the rig is locked' })],
    });
    expect(await ended(client, await launch(client, 'thrown'))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('the mesh is empty'),
    });
    expect(await ended(client, await launch(client, 'reported'))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('the rig is locked'),
    });
  });

  verifies(['job-state:cancelled'], 'a cancelled job ends as cancelled', async () => {
    const { client, service } = await serveJobs({ work: [gate().handler] });
    const id = await launch(client, 'work');
    await running(client, id);
    const answer = await fetch(new URL(`/v1/jobs/${id}`, service.mcpUrl()), { method: 'DELETE' });
    expect(answer.ok).toBe(true);
    expect(await ended(client, id)).toMatchObject({ status: 'cancelled', completed_at: expect.any(String) });
  });

  verifies(['job:parent'], 'the job of a job names its parent', async () => {
    const skill_paths = [
      await skillFolder({
        family: {
          tools: [
            { name: 'outer', ...asyncTool, body: "return { child: await ctx.call('inner', {}) };" },
            { name: 'inner', ...asyncTool },
          ],
        },
      }),
    ];
    const { client, server } = await startConnected({ skill_paths });
    await server.loadSkill('family');
    const stream = await client.stream();
    const parent = await launch(client, 'outer');
    const updated = await stream.next(({ method, params }) => method === jobUpdated && params?.tool === 'inner');
    const record = await ended(client, String(updated.params?.job_id));
    expect(record).toMatchObject({ tool: 'inner', parent_job_id: parent });
    expect(await ended(client, parent)).toMatchObject({ status: 'completed', parent_job_id: null });
    stream.close();
  });
});

describe('files on disk', () => {
  const write = async (dir: string, ...names: string[]) => {
    await mkdir(dir, { recursive: true });
    await Promise.all(names.map(name => writeFile(join(dir, name), 'x')));
  };

  verifies(
    ['job:disk', 'job:disk-extensions', 'job:disk-terminal', 'job:reported-current', 'job:total'],
    'progress is reconciled with the files that exist',
    async () => {
      const [launched, final] = [await tempDir(), await tempDir()];
      const door = gate();
      const { client } = await serveJobs({
        render: [
          async (args, call) => {
            call.progress(1, 3, 'first frame');
            await door.handler(args, call);
            return { output_dir: final };
          },
        ],
      });
      const id = await launch(client, 'render', { output_dir: launched, output_extensions: ['png'] });
      await recordWhen(client, id, ({ progress }) => progress !== null);
      await write(launched, 'a.png', 'b.PNG', 'notes.txt');
      expect(await recordOf(client, id)).toMatchObject({
        status: 'running',
        progress: { current: 2, total: 3, message: 'first frame' },
        counter_source: 'disk',
        reported_current: 1,
      });
      await write(launched, 'c.png', 'd.png', 'e.png');
      expect(await recordOf(client, id)).toMatchObject({ progress: { current: 5, total: 5 }, reported_current: 1 });
      await write(final, '1', '2', '3', '4');
      door.open();
      expect(await ended(client, id)).toMatchObject({ progress: { current: 4, total: 4 }, counter_source: 'disk' });
    },
  );

  verifies(['job:reported'], 'a job without a directory keeps its reported counter', async () => {
    const { client } = await serveJobs({
      steps: [
        (_args, { progress }) => {
          progress(2, 5);
          progress(7, 5);
          return {};
        },
      ],
    });
    const record = await ended(client, await launch(client, 'steps'));
    expect(record).toMatchObject({ status: 'completed', error: null });
    expect(record.progress).toMatchObject({ current: 7, total: 7 });
    expect(record.counter_source ?? 'reported').toBe('reported');
    expect(record).not.toHaveProperty('reported_current');
  });
});

describe('the tools', () => {
  verifies(
    ['builtin:jobs_get_status-listed', 'builtin:jobs_cleanup-output'],
    'all three are listed unconditionally, with their annotations',
    async () => {
      const { client, server } = await startConnected({ skill_paths: [await skillFolder({ rig: {} })] });
      for (const load of [false, true]) {
        if (load) await server.loadSkill('rig');
        const tools = await client.tools();
        const annotations = (name: string) => tools.find(tool => tool.name === name)?.annotations;
        expect(annotations('jobs_get_status')).toMatchObject(hints);
        expect(annotations('jobs_poll_contract')).toMatchObject(hints);
        expect(annotations('jobs_cleanup')).toMatchObject({ ...hints, readOnlyHint: false, destructiveHint: true });
        expect(new Set(namesOf(tools)).size).toBe(tools.length);
      }
    },
  );

  verifies(
    ['builtin:jobs_cleanup', 'job-state:cleanup'],
    'jobs_cleanup removes terminal jobs that are old',
    async () => {
      const door = gate();
      const { client } = await serveJobs(
        { quick: [() => ({})], work: [door.handler] },
        { max_running_jobs_per_tool: 1 },
      );
      const done = await launch(client, 'quick');
      await ended(client, done);
      const live = [await launch(client, 'work'), await launch(client, 'work')];
      await running(client, String(live[0]));
      expect(await client.callJson('jobs_cleanup')).toEqual({ removed: 0, older_than_hours: 24 });
      expect(await client.callJson('jobs_cleanup', { older_than_hours: 0 })).toEqual({
        removed: 1,
        older_than_hours: 0,
      });
      expect((await client.call('jobs_get_status', { job_id: done })).isError).toBe(true);
      expect(await recordOf(client, String(live[0]))).toMatchObject({ status: 'running' });
      expect(await recordOf(client, String(live[1]))).toMatchObject({ status: 'pending' });
      for (const older_than_hours of [-1, 1.5, 'all', null]) {
        const refused = await client.request('tools/call', { name: 'jobs_cleanup', arguments: { older_than_hours } });
        expect(refused.error, String(older_than_hours)).toMatchObject({
          code: -32001,
          message: expect.stringContaining('older_than_hours'),
        });
      }
    },
  );

  verifies(
    [
      'builtin:jobs_poll_contract',
      'builtin:jobs_poll_contract-register',
      'builtin:jobs_poll_contract-refused',
      'builtin:jobs_poll_contract-unregistered',
    ],
    'a result registers how its job type is polled',
    async () => {
      const poll = { owner: 'adapter', tool: 'farm_status', arguments: { ticket: 'T-9' } };
      const { client } = await serveJobs({
        farm: [() => ({ poll, output_dir: '/farm', output_extensions: ['EXR'] })],
        two: [() => ({ poll: { ...poll, arguments: { a: 1, b: 2 } } })],
        none: [() => ({ poll: { ...poll, arguments: {} } })],
      });
      for (const name of ['farm', 'two', 'none']) await ended(client, await launch(client, name));
      const farm = {
        registered: true,
        job_type: 'farm',
        poll: { owner: 'adapter', tool: 'farm_status', argument_field: 'ticket' },
        output: { dir: '/farm', extensions: ['.exr'] },
      };
      expect(await client.callJson('jobs_poll_contract', { job_type: 'farm' })).toEqual(farm);
      expect(JSON.stringify(await client.callJson('jobs_poll_contract'))).toContain(JSON.stringify(farm));
      for (const job_type of ['two', 'none', 'nobody']) {
        expect(await client.callJson('jobs_poll_contract', { job_type })).toEqual({
          registered: false,
          job_type,
          reason: 'job_type_not_registered',
          hint: expect.stringMatching(/\S/),
        });
      }
    },
  );

  verifies(['builtin:jobs_poll_contract-direct'], 'the adapter registers a type directly', async () => {
    const { app, connect } = await startInside();
    const client = await connect();
    app.jobs.registerPoll('bake', { owner: 'core', tool: 'jobs_get_status' });
    expect(await client.callJson('jobs_poll_contract', { job_type: 'bake' })).toEqual({
      registered: true,
      job_type: 'bake',
      poll: { owner: 'core', tool: 'jobs_get_status', argument_field: 'job_id' },
    });
  });
});

const jobUpdated = 'notifications/$/dcc.jobUpdated';

describe('notifications', () => {
  const watched = async (options: { enable_job_notifications?: boolean } = {}) => {
    const door = gate();
    const { client } = await serveJobs({ work: [door.handler, { execution: undefined }] }, options);
    const stream = await client.stream();
    const id = await launch(client, 'work', {}, { progressToken: 'tok' });
    await running(client, id);
    door.open();
    await ended(client, id);
    const of = (method: string): RpcMessage[] => stream.messages.filter(message => message.method === method);
    await waitFor(() => of('notifications/progress').some(({ params }) => params?.progress === 100), 'the last report');
    return { id, of, stream };
  };

  verifies(
    ['notify:job-updated', 'notify:progress', 'job-state:mapping'],
    'one message per transition, and progress under the token',
    async () => {
      const { id, of, stream } = await watched();
      const updates = of(jobUpdated).map(({ params }) => params as Json);
      expect(updates.map(({ status }) => status)).toEqual(['pending', 'running', 'completed']);
      expect(updates[0]).toMatchObject({ job_id: id, tool: 'work', started_at: null, completed_at: null, error: null });
      expect(updates[1]).toMatchObject({ started_at: expect.any(String), completed_at: null });
      expect(updates[2]).toMatchObject({ completed_at: expect.any(String) });
      const progress = of('notifications/progress').map(({ params }) => params as Json);
      expect(progress.map(each => [each.progressToken, each.progress])).toEqual([
        ['tok', 0],
        ['tok', 10],
        ['tok', 100],
      ]);
      stream.close();
    },
  );

  verifies(['notify:job-switch'], 'enable_job_notifications false leaves progress alone', async () => {
    const { of, stream } = await watched({ enable_job_notifications: false });
    expect(of(jobUpdated)).toEqual([]);
    expect(of('notifications/progress')).toHaveLength(3);
    stream.close();
  });
});
