/** The operations of a server that runs in its own thread: the same as in place. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { describe, expect } from 'vitest';
import type { ServerOptions } from '../../plugins/index.ts';
import { testEnv } from '../environment.ts';
import { tempDir, waitFor } from '../helper.ts';
import { createServer, namesOf, quiet, type Server, skillFolder, startConnected } from './fixture.ts';
import { ended, launch } from './jobs-fixture.ts';
import { verifies } from './verifies.ts';
import { connect } from './wire.ts';

const dedicated = (options: ServerOptions = {}, prepare?: (server: Server) => void | Promise<void>) =>
  startConnected({ ...options, spawn_mode: 'dedicated' }, prepare);

describe('spawn_mode dedicated', () => {
  verifies(
    ['ops:start', 'ops:register-tool', 'ops:register-handler', 'ops:has-handler', 'service:port', 'service:mcp-url'],
    'host tools run on the host thread, whenever they are registered',
    async () => {
      const { server, client, service } = await dedicated({}, each => {
        each.registerTool({ name: 'early', description: 'Early.' }, args => ({ threadId, args }));
        each.registerTool({ name: 'bare' });
      });
      expect(service.mcpUrl()).toBe(`http://127.0.0.1:${service.port}/mcp`);
      await server.registerTool({ name: 'late' }, () => ({ threadId }));
      expect(namesOf(await client.tools())).toEqual(expect.arrayContaining(['early', 'bare', 'late']));
      expect(await client.callJson('early', { deep: ['ü', null] })).toEqual({ threadId, args: { deep: ['ü', null] } });
      expect(await client.callJson('late')).toEqual({ threadId });
      expect(await server.hasHandler('bare')).toBe(false);
      await server.registerHandler('bare', () => ({ attached: true }));
      expect(await server.hasHandler('bare')).toBe(true);
      expect(await client.callJson('bare')).toEqual({ attached: true });
    },
  );

  verifies(
    [
      'ops:discover',
      'ops:load-skill',
      'ops:unload-skill',
      'ops:is-loaded',
      'ops:loaded-count',
      'ops:list-skills-status',
    ],
    'skills are found, loaded and unloaded from the host thread',
    async () => {
      const { server, client } = await dedicated({ skill_paths: [await skillFolder({ rig: {} })] });
      const found = await server.discover();
      expect(await server.discover([await skillFolder({ paint: {}, cloth: {} })])).toBe(found + 2);
      expect(await server.loadSkill('paint')).toEqual(['paint_echo']);
      expect([await server.isLoaded('paint'), await server.isLoaded('rig'), await server.loadedCount()]).toEqual([
        true,
        false,
        1,
      ]);
      expect(await client.callJson('paint_echo', { a: 1 })).toEqual({ a: 1 });
      expect((await server.listSkills('loaded')).map(({ name }) => name)).toEqual(['paint']);
      expect((await server.searchSkills({ query: 'cloth' })).map(({ name }) => name)).toEqual(['cloth']);
      expect([await server.unloadSkill('paint'), await server.unloadSkill('paint')]).toEqual([true, false]);
      await expect(server.loadSkill('nowhere')).rejects.toThrow(/nowhere/);
    },
  );

  verifies(
    ['mcp:progress', 'mcp:cancel', 'error:-32002'],
    'progress, cancellation and failures cross over',
    async () => {
      const seen = { begun: false, stopped: false };
      const { client } = await dedicated({}, each => {
        each.registerTool({ name: 'steps', execution: 'sync' }, async (_args, { progress }) => {
          for (const step of [1, 2]) progress(step, 2, `step ${step}`);
          return {};
        });
        each.registerTool({ name: 'throws' }, () => Promise.reject(new Error('the node is locked')));
        each.registerTool(
          { name: 'waits' },
          (_args, { signal }) =>
            new Promise((_resolve, reject) => {
              seen.begun = true;
              signal.addEventListener('abort', () => {
                seen.stopped = true;
                reject(new Error('stopped'));
              });
            }),
        );
      });
      const answer = await client.request('tools/call', {
        name: 'steps',
        arguments: {},
        _meta: { progressToken: 't' },
      });
      expect(answer.notifications.map(({ params }) => params?.progress)).toEqual([1, 2]);
      const failed = await client.request('tools/call', { name: 'throws', arguments: {} });
      expect(failed.error).toMatchObject({ code: -32002, message: expect.stringContaining('the node is locked') });
      const call = client.send({
        jsonrpc: '2.0',
        id: 'w',
        method: 'tools/call',
        params: { name: 'waits', arguments: {} },
      });
      // A call that is cancelled before it begins never runs.
      await waitFor(() => seen.begun, 'the call');
      await client.notify('notifications/cancelled', { requestId: 'w' });
      await waitFor(() => seen.stopped, 'the abort');
      await call;
    },
  );

  verifies(['config:request-timeout'], 'a call that timed out before it began never runs', async () => {
    const ran: unknown[] = [];
    const { client } = await dedicated({ request_timeout_ms: 1000 }, each => {
      each.registerTool({ name: 'mark' }, ({ n }) => {
        ran.push(n);
        return { n };
      });
    });
    expect(await client.callJson('mark', { n: 1 })).toEqual({ n: 1 });
    const late = client.request('tools/call', { name: 'mark', arguments: { n: 2 } });
    // Long enough for the request to leave this thread, and then the host is busy beyond the deadline.
    await new Promise(resolve => setImmediate(resolve));
    const until = Date.now() + 2000;
    while (Date.now() < until);
    const answer = await late;
    if (answer.error) expect(answer.error.message).toMatch(/in time|1000 ms/);
    expect(await client.callJson('mark', { n: 3 })).toEqual({ n: 3 });
    expect(ran).toEqual(answer.error ? [1, 3] : [1, 2, 3]);
  });

  verifies(['admission:async', 'job-state:completed', 'config:job-storage'], 'host tools become jobs', async () => {
    const job_storage_path = join(await tempDir(), 'jobs.db');
    const { client } = await dedicated({ job_storage_path }, each => {
      each.registerTool({ name: 'bake', execution: 'async' }, async (args, { progress }) => {
        progress(1, 1, 'baked');
        return { threadId, args };
      });
    });
    expect(await ended(client, await launch(client, 'bake', { n: 1 }))).toMatchObject({
      status: 'completed',
      progress: { current: 1, total: 1, message: 'baked' },
      result: { structuredContent: { threadId, args: { n: 1 } } },
    });
  });

  verifies(
    ['service:shutdown', 'service:shutdown-drains', 'service:signal-shutdown'],
    'both shutdowns end the thread, and calls in flight finish',
    async () => {
      for (const signalled of [false, true]) {
        const server = createServer({ ...quiet, spawn_mode: 'dedicated' }, { env: testEnv });
        let entered = false;
        await server.registerTool({ name: 'slow' }, async () => {
          entered = true;
          await new Promise(resolve => setTimeout(resolve, 150));
          return { done: true };
        });
        const service = await server.start();
        const client = await connect(service.mcpUrl());
        const call = client.callJson('slow');
        await waitFor(() => entered, 'the call');
        if (signalled) expect(service.signalShutdown()).toBeUndefined();
        else await service.shutdown();
        expect(await call).toEqual({ done: true });
        await service.shutdown();
        await expect(fetch(service.mcpUrl())).rejects.toThrow();
      }
    },
  );

  verifies(['skill:load-setup', 'config:unknown-key'], 'what is refused is refused with its reason', async () => {
    const root = await skillFolder({ broken: { tools: [{ name: 'cracked', body: 'this is not { a program' }] } });
    await mkdir(join(root, 'odd'));
    await writeFile(join(root, 'odd', 'SKILL.md'), 'no front matter\n');
    const { server, client } = await dedicated({ skill_paths: [root] });
    await expect(server.loadSkill('broken')).rejects.toThrow(/broken|cracked/);
    await expect(server.loadSkill('odd')).rejects.toThrow(/odd/);
    expect(await server.loadedCount()).toBe(0);
    expect(await client.result('ping')).toEqual({});
    const wrong = createServer({ ...quiet, spawn_mode: 'dedicated', prot: 1 } as ServerOptions, { env: testEnv });
    await expect(wrong.start()).rejects.toThrow(/"prot"/);
  });
});
