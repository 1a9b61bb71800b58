import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageVersion } from '../../kernel/index.ts';
import { tempDir, waitFor } from '../helper.ts';
import { initializeParams, listening, post, runProgram } from './program.ts';

describe.each(['ambient', 'dedicated'])('svc-server, %s', mode => {
  test('--json prints exactly one line on stdout, the log goes to stderr, and the endpoint answers', async () => {
    const run = runProgram(['--json', '--spawn-mode', mode]);
    const line = await listening(run);
    expect(Object.keys(line)).toEqual(['event', 'mcp_url', 'port', 'instance_id', 'pid']);
    expect(line).toMatchObject({ event: 'listening', pid: run.child.pid });
    expect(line.mcp_url).toBe(`http://127.0.0.1:${line.port}/mcp`);
    const { response, body } = await post(line.mcp_url, 'initialize', initializeParams);
    expect(response.status).toBe(200);
    expect(body.result).toMatchObject({ serverInfo: { name: 'svc', version: packageVersion } });
    expect(run.stderr()).toContain('listening');
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    expect(run.stdout().trim().split('\n')).toHaveLength(1);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s shuts down cleanly with exit code 0', async signal => {
    const run = runProgram(['--json', '--spawn-mode', mode]);
    const { mcp_url } = await listening(run);
    const { response } = await post(mcp_url, 'initialize', initializeParams);
    const session = response.headers.get('mcp-session-id') ?? '';
    // An open event stream must not hold the server up.
    const stream = await fetch(mcp_url, { headers: { accept: 'text/event-stream', 'mcp-session-id': session } });
    expect(stream.status).toBe(200);
    run.child.kill(signal);
    expect(await run.ended).toBe(0);
    await expect(stream.text()).resolves.toBeDefined();
  });

  test('a port in use ends with 7 and one clear line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise(resolve => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const args = ['--port', String(port), '--spawn-mode', mode, '--log-level', 'silent'];
    const run = runProgram(args);
    expect(await run.ended).toBe(7);
    expect(run.stderr()).toMatch(/^error \[CONFLICT\]: .*in use.*\n$/);
    expect(run.stdout()).toBe('');
    const json = runProgram([...args, '--json']);
    expect(await json.ended).toBe(7);
    expect(JSON.parse(json.stderr())).toMatchObject({
      error: { code: 'CONFLICT', exit_code: 7, retryable: false, details: { code: 'SVC_SERVER_PORT_IN_USE' } },
    });
  });
});

test('without --json a person is told the address, the skills and a request that works', async () => {
  const run = runProgram(['--port', '0']);
  await waitFor(() => run.stdout().includes('Ctrl-C'), 'the banner', 30_000);
  expect(run.stdout()).toMatch(new RegExp(`^svc ${packageVersion} listens on http://127.0.0.1:\\d+/mcp\n`));
  expect(run.stdout()).toMatch(/\d+ found/);
  const line = /try it +(.*)/.exec(run.stdout())?.[1] ?? '';
  const { stdout } = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
  expect(stdout).toContain('"serverInfo"');
});

test.each([
  [['--prot', '1'], /--prot is no flag of svc-server serve\. Did you mean "--port"\?/],
  [['--port', 'abc'], /--port: "port" must be integer/],
  [['--port'], /--port expects a value/],
  [['--spawn-mode', 'x'], /--spawn-mode/],
  [['--skill-path', '/does/not/exist'], /Skill path \/does\/not\/exist does not exist/],
  [['--skill-path', join(import.meta.dirname, 'serve.test.ts')], /is not a directory/],
  [['--config', '/does/not/exist.json'], /\/does\/not\/exist\.json/],
  [['unknown-command'], /unknown-command/],
])('bad input %j ends with 2 and one line', async (args, message) => {
  const run = runProgram(args);
  expect(await run.ended).toBe(2);
  expect(run.stderr()).toMatch(/^error \[INVALID_INPUT\]: [^\n]+\n$/);
  expect(run.stderr()).toMatch(message);
  expect(run.stdout()).toBe('');
});

test('bad variables and config files are named', async () => {
  const variable = runProgram([], { SVC_MAX_SESSIONS: 'many' });
  expect(await variable.ended).toBe(2);
  expect(variable.stderr()).toContain('environment SVC_MAX_SESSIONS');
  const file = join(await tempDir(), 'svc.yaml');
  await writeFile(file, 'prot: 1\n');
  const unknown = runProgram(['--config', file]);
  expect(await unknown.ended).toBe(2);
  expect(unknown.stderr()).toContain('"prot" is not a known field');
});

test('flags, variables and config file reach the server', async () => {
  const file = join(await tempDir(), 'svc.json');
  await writeFile(file, JSON.stringify({ endpoint_path: '/from/file', server_name: 'from-file' }));
  const run = runProgram(['--json', '--config', file, '--server-version', '9.9.9'], { SVC_ENDPOINT_PATH: '/from/env' });
  const { mcp_url } = await listening(run);
  expect(mcp_url).toMatch(/\/from\/env$/);
  const { body } = await post(mcp_url, 'initialize', initializeParams);
  expect(body.result).toMatchObject({ serverInfo: { name: 'from-file', version: '9.9.9' } });
});

test('a reader of stdout or stderr that goes away does not end the server', async () => {
  const run = runProgram(['--json', '--log-level', 'trace']);
  const { mcp_url } = await listening(run);
  run.child.stdout?.destroy();
  run.child.stderr?.destroy();
  for (let index = 0; index < 20; index += 1) await post(mcp_url, 'nothing/at-all', {});
  const { response } = await post(mcp_url, 'initialize', initializeParams);
  expect(response.status).toBe(200);
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(0);
});

test.each([[['--help']], [['-h']], [['serve', '--help']], [['skills', '--help']], [['--port', '0', '--help']]])(
  '%j prints help and ends with 0',
  async args => {
    const run = runProgram(args);
    expect(await run.ended).toBe(0);
    expect(run.stdout()).toContain('USAGE');
    expect(run.stderr()).toBe('');
  },
);

test('--version prints name and version', async () => {
  const run = runProgram(['--version']);
  expect(await run.ended).toBe(0);
  expect(run.stdout()).toContain(`svc/${packageVersion}`);
});
