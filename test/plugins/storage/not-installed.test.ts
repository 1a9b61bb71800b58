import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../kernel/index.ts';
import { testEnv } from '../../environment.ts';
import { tempDir } from '../../helper.ts';

/** Starts a server in a process without better-sqlite3 and closes it; what it said. */
async function serve(options: object): Promise<{ code: unknown; said: string }> {
  const script = `
    import { createServer } from './plugins/index.ts';
    const options = { port: 0, spawn_mode: 'ambient', log_level: 'silent', ...${JSON.stringify(options)} };
    const server = createServer(options, { env: ${JSON.stringify(testEnv)} });
    try {
      const service = await server.start();
      console.log(await (await fetch(new URL('/health', service.mcpUrl()))).text());
    } catch (error) {
      console.log(error.code + ': ' + error.message);
      process.exitCode = 3;
    }
    await server.close();`;
  const hook = join(packageRoot, 'test/plugins/storage/no-sqlite.mjs');
  const args = ['--import', 'tsx', '--import', hook, '--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { cwd: packageRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code, said };
}

test('Errors 3: without better-sqlite3 a job_storage_path fails start with what to do, and nothing is written', async () => {
  const path = join(await tempDir(), 'jobs.db');
  const { code, said } = await serve({ job_storage_path: path });
  expect([code, said]).toEqual([3, expect.stringMatching(/^SVC_STORAGE_NOT_BUILT: .*better-sqlite3.*unset/)]);
  await expect(access(path)).rejects.toThrow('ENOENT');
});

test('without better-sqlite3 a server that stores nothing works', async () => {
  const { code, said } = await serve({});
  expect([code, JSON.parse(said)]).toEqual([
    0,
    expect.objectContaining({ job_persistence: expect.objectContaining({ state: 'not_configured' }) }),
  ]);
});
