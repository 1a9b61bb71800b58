/** Background jobs: admission, the record, the jobs_* tools, notifications. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { tempDir } from '../helper.ts';
import { namesOf, skillFolder, startConnected } from './fixture.ts';
import { ended, gate, type JobDefinition, launch, recordOf, recordWhen, running, serveJobs } from './jobs-fixture.ts';
import { verifies } from './verifies.ts';
import { type Json, textJson } from './wire.ts';

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
      expect(job_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
      expect(textJson(result)).toEqual(receipt);
      expect(receipt).toEqual({
        job_id,
        core_job_id: job_id,
        job_id_owner: 'core',
        status: 'pending',
        parent_job_id: null,
        core_poll: { owner: 'core', tool: 'jobs_get_status', arguments: { job_id, include_result: true } },
      });
      expect(result._meta).toMatchObject({ status: 'pending', dcc: { jobId: job_id, coreJobId: job_id } });
      expect(await ended(client, job_id)).toMatchObject({
        job_id,
        tool: name,
        status: 'completed',
        error: null,
        result: { structuredContent: { n: 1 } },
      });
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
      const { client, connect } = await serveJobs({
        work: [args => args, plain],
        quick: [args => args, { execution: 'sync' }],
      });
      const later = await connect({ protocolVersion: '2025-11-25' });
      for (const progressToken of ['a', '', 0, 7, 1.5]) {
        const result = await client.call('work', {}, { progressToken });
        expect(isReceipt(result), JSON.stringify(progressToken)).toBe(true);
        expect(isReceipt(await client.call('quick', {}, { progressToken }))).toBe(true);
        const inPlace = await later.call('quick', {}, { progressToken });
        expect([isReceipt(inPlace), inPlace._meta]).toEqual([false, undefined]);
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
      expect(await ended(client, id)).toMatchObject({
        progress: { current: 4, total: 4 },
        counter_source: 'disk',
        reported_current: 1,
      });
    },
  );
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
      expect(await client.callJson('jobs_cleanup', { older_than_hours: 9_999_999_999 })).toMatchObject({ removed: 0 });
      for (const older_than_hours of [-1, 1.5, 'all', null]) {
        const refused = await client.request('tools/call', { name: 'jobs_cleanup', arguments: { older_than_hours } });
        expect(refused.error, String(older_than_hours)).toMatchObject({
          code: -32001,
          message: expect.stringContaining('older_than_hours'),
        });
      }
    },
  );
});
