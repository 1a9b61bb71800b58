import { writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { digestOf } from '../../schemas/tokens.ts';
import { freePort, tempDir, waitFor } from '../helper.ts';
import { createWorld } from './gateway-program.ts';
import { listening, runProgram } from './program.ts';

const slow = 60_000;

test(
  'a daemon stays while a server lives, lists it, and ends after the last one was killed',
  async () => {
    const world = await createWorld();
    const server = world.serve('--no-ensure-gateway');
    const { instance_id } = await listening(server);
    const gateway = world.gateway('--gateway-idle-timeout-secs', '2');
    await waitFor(world.health, 'the gateway', 20_000);
    const listed = async (): Promise<string> => (await fetch(`http://127.0.0.1:${world.port}/v1/instances`)).text();
    await waitFor(async () => (await listed()).includes(String(instance_id)), 'the row', 20_000);
    await new Promise(resolve => setTimeout(resolve, 4500));
    expect(gateway.child.exitCode).toBeNull();
    server.child.kill('SIGKILL');
    expect(await gateway.ended).toBe(0);
  },
  slow,
);

test.each([
  [['--port', 'abc'], /--port: "gateway_port" must be integer/],
  [['--gateway-idle-timeout-secs=-1'], /--gateway-idle-timeout-secs/],
  [['--relay-source', 'x'], /"x" is no ADMIN=PUBLIC pair/],
])('bad input %j ends with 2 and one line', async (args, message) => {
  const run = runProgram(['gateway', ...args]);
  expect(await run.ended).toBe(2);
  expect(run.stderr()).toMatch(/^error \[INVALID_INPUT\]: [^\n]+\n$/);
  expect(run.stderr()).toMatch(message);
});

test(
  'a gateway beyond this machine is guarded by the file of tokens that its command line names, and by that alone it starts',
  async () => {
    const world = await createWorld();
    const tokens = world.file('tokens.yaml');
    const token = 'token-of-a-person-here';
    await writeFile(tokens, `- { label: person, sha256: ${digestOf(token)}, scopes: [call] }\n`, { mode: 0o600 });
    const refused = world.gateway('--host', '0.0.0.0');
    expect(await refused.ended).toBe(2);
    expect(refused.stderr()).toMatch(/auth_tokens_file|insecure_bind/);
    world.gateway('--host', '0.0.0.0', '--auth-tokens-file', tokens, '--rate-limit-per-minute', '1000', '--no-admin');
    const asked = (authorization: string): Promise<number> =>
      fetch(`http://127.0.0.1:${world.port}/v1/instances`, { headers: { authorization } }).then(
        each => each.status,
        () => 0,
      );
    await expect.poll(() => asked(`Bearer ${token}`), { timeout: 20_000 }).toBe(200);
    expect(await asked('')).toBe(401);
  },
  slow,
);

test(
  'a registry directory that cannot be used is said, and the server runs on without a gateway',
  async () => {
    const world = await createWorld();
    const file = world.file('not-a-directory');
    await writeFile(file, '');
    const server = world.serve('--registry-dir', file);
    await listening(server);
    await waitFor(() => server.stderr().includes('daemon-unavailable'), 'the warning', 20_000);
    expect(await world.health()).toBeUndefined();
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  },
  slow,
);

test(
  'a server whose guard is under way shuts down at once, and the daemon that it launched ends when idle',
  async () => {
    const world = await createWorld();
    const server = world.serve('--gateway-idle-timeout-secs', '1');
    await listening(server);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    const silent = async (): Promise<boolean> => (await world.health()) === undefined;
    await new Promise(resolve => setTimeout(resolve, 1000));
    await waitFor(silent, 'the end of the daemon', 30_000);
  },
  slow,
);

test(
  'a port that takes connections and says nothing is not launched upon',
  async () => {
    const world = await createWorld();
    const { createServer } = await import('node:net');
    const mute = createServer(() => undefined);
    await new Promise<void>(resolve => mute.listen(world.port, '127.0.0.1', resolve));
    onTestFinished(() => void mute.close());
    const server = world.serve('--gateway-ensure-timeout-secs', '1');
    await waitFor(() => server.stderr().includes('does not answer GET /health'), 'the warning', 20_000);
    expect(server.stderr()).toContain('daemon-unavailable');
    expect(await world.daemonLog()).toBe('');
  },
  slow,
);

test('a second listener serves the same gateway', async () => {
  const [port, other] = [await freePort(), await freePort()];
  const directory = await tempDir();
  const run = runProgram([
    'gateway',
    '--json',
    '--port',
    String(port),
    '--remote-port',
    String(other),
    '--registry-dir',
    directory,
  ]);
  await waitFor(() => run.stdout().includes('\n'), 'the gateway', 30_000);
  for (const each of [port, other]) {
    const answer = await fetch(`http://127.0.0.1:${each}/health`);
    expect(await answer.json()).toMatchObject({ ok: true });
  }
  run.child.kill('SIGTERM');
  expect(await run.ended).toBe(0);
});
