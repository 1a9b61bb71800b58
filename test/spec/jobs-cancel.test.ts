/** Cancelling jobs: whose request it may be, what it reaches, and when a job counts as cancelled. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { tempDir, waitFor } from '../helper.ts';
import { createServer, quiet, skillFolder, startConnected, startInside } from './fixture.ts';
import { asyncTool, ended, gate, launch, recordOf, running, serveJobs } from './jobs-fixture.ts';
import type { SkillTool } from './skill-package.ts';
import { verifies } from './verifies.ts';
import { connect, type Json, type Wire } from './wire.ts';

const cancelRequest = (client: Wire, requestId: unknown) => client.notify('notifications/cancelled', { requestId });

const cancelJob = (url: string, id: string) => fetch(new URL(`/v1/jobs/${id}`, url), { method: 'DELETE' });

/** tools/call under an id of the test's choice; returns the job's id. */
async function launchAs(client: Wire, id: unknown, name: string, args: Json = {}): Promise<string> {
  const { text } = await client.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
  return JSON.parse(/\{.*\}/.exec(text)?.[0] ?? '').result.structuredContent.job_id;
}

/** A server with one skill, loaded. */
async function withSkill(tools: SkillTool[], options: Json = {}) {
  const skill_paths = [await skillFolder({ worker: { tools } })];
  const started = await startConnected({ skill_paths, ...options });
  await started.server.loadSkill('worker');
  return { ...started, url: started.service.mcpUrl() };
}

describe('by the request that became the job', () => {
  verifies(['job-state:cancel-request'], 'a cancellation after the receipt cancels the job, and no other', async () => {
    const { client, connect } = await serveJobs({ work: [gate().handler] });
    const other = await connect();
    const jobs = [await launchAs(client, 7, 'work'), await launchAs(client, '7', 'work')] as const;
    const theirs = await launchAs(other, 7, 'work');
    for (const id of jobs) await running(client, id);
    await cancelRequest(client, 7);
    expect(await ended(client, jobs[0])).toMatchObject({ status: 'cancelled', error: expect.stringMatching(/caller/) });
    expect(await recordOf(client, jobs[1])).toMatchObject({ status: 'running' });
    expect(await recordOf(client, theirs)).toMatchObject({ status: 'running' });
    // An id that is unknown, malformed, or of a job that has ended is ignored.
    for (const requestId of ['nobody', 7, null, {}, undefined]) {
      expect((await cancelRequest(client, requestId)).status).toBe(202);
    }
    await cancelRequest(client, '7');
    expect(await ended(client, jobs[1])).toMatchObject({ status: 'cancelled' });
    expect(await recordOf(client, theirs)).toMatchObject({ status: 'running' });
  });

  verifies(['job-state:cancel-request'], 'a call cancelled while a veto hook thinks makes no job', async () => {
    const door = gate();
    const { app, connect } = await startInside({}, server => {
      server.registerTool({ name: 'work', ...asyncTool }, () => ({ done: true }));
    });
    const client = await connect();
    const changes: unknown[] = [];
    app.kernel.bus.on('job.updated', change => changes.push(change));
    let asked = false;
    app.kernel.hooks.before('tool.dispatched', async () => {
      asked = true;
      await door.handler({}, { signal: new AbortController().signal });
    });
    const call = client.send({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'work', arguments: {} } });
    await waitFor(() => asked, 'the hook');
    await cancelRequest(client, 9);
    await call;
    door.open();
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(changes).toEqual([]);
  });
});

describe('what it reaches', () => {
  verifies(
    ['job-state:cancel-children', 'job:parent'],
    'a skill job takes the jobs with it that it started by ctx.call',
    async () => {
      const wait = `await new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(new Error('stopped'))));`;
      const { client, url } = await withSkill([
        { name: 'outer', ...asyncTool, body: `await ctx.call('inner', {}); await ctx.call('inner', {}); ${wait}` },
        { name: 'inner', ...asyncTool, body: wait },
      ]);
      const stream = await client.stream();
      onTestFinished(() => stream.close());
      const parent = await launch(client, 'outer');
      const inner = (): Set<string> =>
        new Set(stream.messages.filter(each => each.params?.tool === 'inner').map(each => String(each.params?.job_id)));
      await waitFor(() => inner().size === 2, 'both children');
      expect((await cancelJob(url, parent)).status).toBe(204);
      expect(await ended(client, parent)).toMatchObject({ status: 'cancelled', parent_job_id: null });
      for (const id of inner()) {
        expect(await ended(client, id)).toMatchObject({
          status: 'cancelled',
          parent_job_id: parent,
          error: expect.stringContaining('parent'),
        });
      }
    },
  );
});

describe('when a job of a skill counts as cancelled', () => {
  verifies(['job-state:cancel-acknowledged'], 'not before its code has ended', async () => {
    const file = join(await tempDir(), 'end');
    const { client, url } = await withSkill([
      {
        name: 'tidy',
        ...asyncTool,
        body: `
          const { writeFile } = await import('node:fs/promises');
          const asked = new Promise(resolve => ctx.signal.addEventListener('abort', resolve));
          ctx.progress(1, 2);
          await asked;
          await new Promise(resolve => setTimeout(resolve, 300));
          await writeFile(args.file, 'tidied');
          return { tidied: true };`,
      },
    ]);
    const id = await launch(client, 'tidy', { file });
    // Its code listens from here on; a job may run before its worker has begun.
    await waitFor(async () => (await recordOf(client, id)).progress, 'the first report');
    await cancelJob(url, id);
    expect(await recordOf(client, id)).toMatchObject({ status: 'running' });
    expect(await ended(client, id)).toMatchObject({ status: 'cancelled' });
    expect(await readFile(file, 'utf8')).toBe('tidied');
  });

  verifies(
    ['job-state:cancel-acknowledged'],
    'not before the handler of a host has ended, in either mode',
    async () => {
      for (const spawn_mode of ['ambient', 'dedicated'] as const) {
        let ends = 0;
        const { client, service } = await serveJobs(
          {
            tidy: [
              async (_args, { signal }) => {
                await new Promise(resolve => signal.addEventListener('abort', resolve));
                await new Promise(resolve => setTimeout(resolve, 300));
                ends += 1;
                return { tidied: true };
              },
            ],
            deaf: [() => new Promise(() => undefined)],
          },
          { spawn_mode, job_cancel_grace_ms: 2000 },
        );
        const url = service.mcpUrl();
        const [tidy, deaf] = [await launch(client, 'tidy'), await launch(client, 'deaf')];
        for (const id of [tidy, deaf]) await running(client, id);
        for (const id of [tidy, deaf]) await cancelJob(url, id);
        expect(await recordOf(client, tidy), spawn_mode).toMatchObject({ status: 'running' });
        expect(await ended(client, tidy)).toMatchObject({ status: 'cancelled' });
        expect(ends, spawn_mode).toBe(1);
        // What ends not by itself is given up after the grace: a host's thread cannot be ended.
        expect(await ended(client, deaf)).toMatchObject({ status: 'cancelled' });
      }
    },
  );

  verifies(['job-state:cancel-hard'], 'stuck code is ended with its worker after job_cancel_grace_ms', async () => {
    const beat = join(await tempDir(), 'beat');
    await writeFile(beat, '');
    const { client, url } = await withSkill(
      [
        { name: 'stuck', ...asyncTool, body: 'for (;;);' },
        {
          name: 'deaf',
          ...asyncTool,
          body: `
            const { appendFile } = await import('node:fs/promises');
            for (;;) { await appendFile(args.beat, '.'); await new Promise(resolve => setTimeout(resolve, 10)); }`,
        },
        { name: 'fine', execution: 'sync', body: 'return { ok: true };' },
      ],
      { job_cancel_grace_ms: 200 },
    );
    for (const [name, args] of [
      ['stuck', {}],
      ['deaf', { beat }],
    ] as const) {
      const id = await launch(client, name, args);
      await running(client, id);
      if (name === 'deaf') await waitFor(async () => (await readFile(beat)).length > 0, 'the first beat');
      await cancelJob(url, id);
      expect(await ended(client, id)).toMatchObject({
        status: 'cancelled',
        error: expect.stringContaining('cancelled'),
      });
      // The next call gets a worker that answers.
      expect(await client.callJson('fine')).toEqual({ ok: true });
    }
    const { length } = await readFile(beat);
    await new Promise(resolve => setTimeout(resolve, 200));
    expect((await readFile(beat)).length).toBe(length);
  });

  verifies(['job-state:cancel-hard'], 'the process tree of a script has ended with it', async () => {
    const pids = join(await tempDir(), 'pids');
    const script = `sleep 60 &\necho "$$ $!" > '${pids}'\nwait\n`;
    const tool = { name: 'tree', ...asyncTool, source_file: 'scripts/tree.sh' } as SkillTool;
    const files = { 'scripts/tree.sh': script };
    const skill_paths = [await skillFolder({ worker: { tools: [tool], files } })];
    const { PATH } = process.env;
    const server = createServer({ ...quiet, skill_paths }, { env: { PATH } });
    const service = await server.start();
    onTestFinished(() => service.shutdown());
    await server.loadSkill('worker');
    const url = service.mcpUrl();
    const client = await connect(url);
    const id = await launch(client, 'tree');
    const read = async (): Promise<number[]> =>
      (await readFile(pids, 'utf8').catch(() => '')).split(/\s+/).map(Number).filter(Boolean);
    await waitFor(async () => (await read()).length === 2, 'the process tree');
    await cancelJob(url, id);
    expect(await ended(client, id)).toMatchObject({ status: 'cancelled' });
    for (const pid of await read()) expect(await isRunning(pid), String(pid)).toBe(false);
  });
});

/** Whether a process runs; one that waits to be reaped does not. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) [ZX] /.test(stat);
}
