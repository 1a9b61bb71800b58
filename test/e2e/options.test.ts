/** Options that no story needs, each seen to do what its description says, through the program or the package's entry. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createServer } from '../../plugins/index.ts';
import { testEnv } from '../environment.ts';
import { freePort, tempDir, waitFor } from '../helper.ts';
import { answering, saveAtomically, writeFiles } from '../plugins/skills/support.ts';
import { connect, type Json } from '../spec/wire.ts';
import { createWorld } from './gateway-program.ts';
import { initializeParams, listening, post, runProgram } from './program.ts';

/** A folder of skill packages. */
async function skillFolder(packages: Record<string, Record<string, string>>): Promise<string> {
  const root = await tempDir();
  for (const [name, files] of Object.entries(packages)) await writeFiles(join(root, name), files);
  return root;
}

async function serveSkills(root: string, ...args: string[]) {
  const fixed = ['serve', '--json', '--no-auto-gateway', '--no-bundled-skills', '--skill-path', root];
  const client = await connect((await listening(runProgram([...fixed, ...args]))).mcp_url);
  const answerOf = async (tool: string): Promise<string> => JSON.stringify(await client.call(tool));
  return { client, answerOf };
}

test('log_file also receives the log', async () => {
  const file = join(await tempDir(), 'logs', 'svc.log');
  const run = runProgram(['serve', '--json', '--no-auto-gateway', '--log-file', file]);
  await listening(run);
  run.child.kill('SIGTERM');
  expect(await run.ended).toBe(0);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  expect(lines.map(line => JSON.parse(line).msg)).toContainEqual(expect.stringMatching(/^listening on http/));
});

test('gateway_host and gateway_name: where the gateway listens, and what it calls itself', async () => {
  const world = await createWorld();
  const run = world.gateway('--json', '--host', '127.0.0.2', '--name', 'stage 4');
  const line = await waitFor(() => (run.stdout().includes('\n') ? run.stdout() : undefined), 'the line');
  const { url } = JSON.parse(line) as { url: string };
  expect(url).toMatch(/^http:\/\/127\.0\.0\.2:/);
  const { body } = await post(new URL('/mcp', url).href, 'initialize', initializeParams);
  expect(body.result).toMatchObject({ serverInfo: { name: 'stage 4' } });
  await expect(fetch(`http://127.0.0.1:${world.port}/health`)).rejects.toThrow();
});

test('gateway_host of a server is where it looks for its gateway', async () => {
  const world = await createWorld();
  world.gateway('--json', '--host', '127.0.0.2');
  await waitFor(
    () =>
      fetch(`http://127.0.0.2:${world.port}/health`).then(
        each => each.ok,
        () => false,
      ),
    'the gateway',
  );
  const run = world.serve('--gateway-host', '127.0.0.2');
  const { instance_id } = await listening(run);
  await waitFor(async () => {
    const answer = await fetch(`http://127.0.0.2:${world.port}/v1/instances`);
    return JSON.stringify(await answer.json()).includes(String(instance_id));
  }, 'the server behind that gateway');
  await expect(fetch(`http://127.0.0.1:${world.port}/health`)).rejects.toThrow();
});

test('gateway_remote_host: the address of the second listener', async () => {
  const world = await createWorld();
  const port = await freePort();
  world.gateway('--json', '--remote-host', '127.0.0.3', '--remote-port', String(port));
  // Whatever it answers to that Host: somebody listens there.
  const answered = () =>
    fetch(`http://127.0.0.3:${port}/health`).then(
      () => true,
      () => false,
    );
  await waitFor(answered, 'the listener');
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
});

test('gateway_wait_timeout_ms: nobody waits longer for the end of a job, whatever they ask for', async () => {
  const world = await createWorld();
  const config = join(await tempDir(), 'svc.yaml');
  await writeFile(config, 'gateway_wait_timeout_ms: 100\n');
  world.gateway('--json', '--config', config);
  const server = createServer(
    {
      port: 0,
      gateway_port: 0,
      registry_dir: world.directory,
      dcc_type: 'maya',
      spawn_mode: 'ambient',
      log_level: 'silent',
    },
    { env: testEnv },
  );
  onTestFinished(() => server.close());
  let release: () => void = () => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  onTestFinished(() => release());
  await server.registerTool({ name: 'render' }, () => released.then(() => ({ done: true })));
  const { instance_id } = await server.start();
  const tool_slug = `maya.${String(instance_id).replaceAll('-', '').slice(0, 8)}.render`;
  const call = async (): Promise<Json> => {
    const answer = await fetch(`http://127.0.0.1:${world.port}/v1/call`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({
        tool_slug,
        meta: { dcc: { async: true, wait_for_terminal: true, wait_timeout_ms: 60_000 } },
      }),
    });
    return (await answer.json()) as Json;
  };
  const late = await waitFor(async () => {
    const answer = await call().catch(() => undefined);
    return answer && '_meta' in answer ? answer : undefined;
  }, 'the call through the gateway');
  expect(late).toMatchObject({ _meta: { dcc: { timed_out: true } } });
});

test('host_slice_ms: after so long the host has a turn before the next queued call', async () => {
  const mostInOneTurn = async (host_slice_ms: number): Promise<number> => {
    const server = createServer({ port: 0, host_slice_ms, log_level: 'silent' }, { env: testEnv });
    onTestFinished(() => server.close());
    let [ended, most] = [0, 0];
    await server.registerTool({ name: 'busy' }, () => {
      const until = performance.now() + 3;
      while (performance.now() < until);
      ended += 1;
      return { ended };
    });
    const client = await connect((await server.start()).mcpUrl());
    // A turn of the host is what its own immediates get between two calls.
    let last = 0;
    const turn = (): void => {
      most = Math.max(most, ended - last);
      last = ended;
      if (ended < 40) setImmediate(turn);
    };
    setImmediate(turn);
    await Promise.all(Array.from({ length: 40 }, () => client.call('busy')));
    return most;
  };
  expect(await mostInOneTurn(1)).toBe(1);
  expect(await mostInOneTurn(1000)).toBeGreaterThan(1);
});

test('skill_heap_mb: a skill may keep so much and no more', async () => {
  const root = await skillFolder({
    hoard: answering('hoard', '', {
      files: {
        'tools/hoard_answer.ts': `const kept: unknown[] = [];
export default () => {
  for (let n = 0; n < 1_000_000; n += 1) kept.push({ n, list: [n, n + 1, n + 2] });
  return { answer: 'kept ' + kept.length };
};`,
      },
    }),
  });
  const small = await serveSkills(root, '--skill-heap-mb', '32');
  await small.client.call('load_skill', { skill_name: 'hoard' });
  const refused = await small.client.request('tools/call', { name: 'hoard_answer', arguments: {} });
  expect(JSON.stringify(refused)).toMatch(/exhausted its heap of 32 MB/);
  const large = await serveSkills(root, '--skill-heap-mb', '512');
  await large.client.call('load_skill', { skill_name: 'hoard' });
  expect(await large.answerOf('hoard_answer')).toContain('kept 1000000');
});

test('watch_debounce_ms: a change is taken up when it has been quiet for so long', async () => {
  const root = await skillFolder({ alpha: answering('alpha', 'one') });
  const [quick, slow] = await Promise.all([
    serveSkills(root, '--watch-debounce-ms', '20'),
    serveSkills(root, '--watch-debounce-ms', '4000'),
  ]);
  for (const { client, answerOf } of [quick, slow]) {
    await client.call('load_skill', { skill_name: 'alpha' });
    expect(await answerOf('alpha_answer')).toContain('one');
  }
  // Written anew until the first has seen it: a watcher may need a moment before it watches.
  const file = join(root, 'alpha', 'tools', 'alpha_answer.ts');
  const text = (await readFile(file, 'utf8')).replace('one', 'two');
  await saveAtomically(file, text);
  await waitFor(async () => (await quick.answerOf('alpha_answer')).includes('two'), 'the quick one');
  expect(await slow.answerOf('alpha_answer')).toContain('one');
  await waitFor(async () => (await slow.answerOf('alpha_answer')).includes('two'), 'the slow one');
  await writeFile(file, text);
});
