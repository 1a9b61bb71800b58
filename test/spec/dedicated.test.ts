/** The operations of a server that runs in its own thread: the same as in place. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { describe, expect } from 'vitest';
import type { ServerOptions } from '../../plugins/index.ts';
import { testEnv } from '../environment.ts';
import { tempDir } from '../helper.ts';
import { createServer, namesOf, quiet, type Server, skillFolder, startConnected } from './fixture.ts';
import { ended, launch } from './jobs-fixture.ts';
import { verifies } from './verifies.ts';

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
