import { readFile, utimes, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../helper.ts';
import { createWorld, gatewayHealth, isAlive, kill } from './gateway-program.ts';
import { listening, post, runProgram } from './program.ts';

const slow = 60_000;
const counted = (text: string, part: string): number => text.split(part).length - 1;

/** Something else on the gateway's port. */
async function occupy(port: number, answer: RequestListener): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
}

test(
  'two servers that start at the same moment launch one daemon, which outlives them [spec:daemon:ensured]',
  async () => {
    const world = await createWorld();
    const servers = [world.serve(), world.serve('--spawn-mode', 'dedicated')];
    await Promise.all(servers.map(listening));
    const pid = await world.daemon();
    expect(await world.health()).toEqual(gatewayHealth);
    await waitFor(
      () => servers.some(each => each.stderr().includes('launched the gateway daemon')),
      'the launch',
      20_000,
    );
    const launches = servers.map(each => counted(each.stderr(), 'launched the gateway daemon'));
    expect(launches.sort()).toEqual([0, 1]);
    const log = await world.daemonLog();
    expect([counted(log, 'listening on'), counted(log, 'in use')]).toEqual([1, 0]);
    for (const each of servers) each.child.kill('SIGTERM');
    expect(await Promise.all(servers.map(each => each.ended))).toEqual([0, 0]);
    expect(await world.health()).toEqual(gatewayHealth);
    expect(isAlive(pid)).toBe(true);
    const manifest = JSON.parse(await readFile(world.file(`gateway-autolaunch-${world.port}.json`), 'utf8'));
    expect(manifest).toMatchObject({ pid, port: world.port, host: '127.0.0.1', registry_dir: world.directory });
    await expect(readFile(world.file('gateway-launch.lock'))).rejects.toMatchObject({ code: 'ENOENT' });
  },
  slow,
);

test(
  'a killed daemon is back, launched anew by a server that watches it',
  async () => {
    const world = await createWorld();
    await listening(world.serve());
    const first = await world.daemon();
    kill(first);
    const second = await world.daemon(first);
    expect(second).not.toBe(first);
    expect(await world.health()).toEqual(gatewayHealth);
  },
  slow,
);

test.skipIf(process.platform === 'win32')(
  'a daemon that is stopped is got round: ended, and another launched',
  async () => {
    const world = await createWorld();
    const server = world.serve('--gateway-ensure-timeout-secs', '2');
    await listening(server);
    const first = await world.daemon();
    await waitFor(async () => (await world.rows()).length === 2, 'the row of the daemon', 10_000);
    kill(first, 'SIGSTOP');
    const second = await world.daemon(first);
    expect(second).not.toBe(first);
    await waitFor(() => !isAlive(first), 'the end of the stopped one', 10_000);
    expect(await world.health()).toEqual(gatewayHealth);
  },
  slow,
);

test(
  'a launch lock of a living launcher is respected and does not delay the server; a stale one is reclaimed',
  async () => {
    const world = await createWorld();
    const lock = world.file('gateway-launch.lock');
    await writeFile(lock, JSON.stringify({ token: 'other', pid: process.pid }));
    await listening(world.serve());
    await new Promise(resolve => setTimeout(resolve, 1000));
    expect(await world.health()).toBeUndefined();
    const old = Date.now() / 1000 - 31;
    await utimes(lock, old, old);
    await world.daemon();
  },
  slow,
);

test(
  'a launch lock that a dead launcher left is reclaimed at once',
  async () => {
    const world = await createWorld();
    const dead = runProgram(['--version']);
    await dead.ended;
    await writeFile(world.file('gateway-launch.lock'), JSON.stringify({ token: 'other', pid: dead.child.pid }));
    await listening(world.serve());
    await world.daemon();
  },
  slow,
);

test(
  'an idle daemon ends by itself with code 0, unless it is to persist [spec:daemon:command]',
  async () => {
    const world = await createWorld();
    const idle = world.gateway('--gateway-idle-timeout-secs', '1');
    await waitFor(world.health, 'the gateway', 20_000);
    expect(await idle.ended).toBe(0);
    expect(idle.stderr()).toContain('no server is left');
    expect(idle.stdout()).toBe('');
    const kept = [
      world.gateway('--gateway-idle-timeout-secs', '1', '--gateway-persist'),
      (await createWorld()).gateway('--gateway-idle-timeout-secs', '0'),
    ];
    await waitFor(() => kept.every(each => each.stderr().includes('listening on')), 'both gateways', 20_000);
    await new Promise(resolve => setTimeout(resolve, 2500));
    expect(kept.map(each => each.child.exitCode)).toEqual([null, null]);
  },
  slow,
);

test(
  'a foreign service on the port is named, left alone, and the server runs on',
  async () => {
    const world = await createWorld();
    await occupy(world.port, (_request, response) => void response.end('{"ok":true,"service":"something-else"}'));
    const server = world.serve();
    const { mcp_url } = await listening(server);
    await waitFor(() => server.stderr().includes('is not the gateway'), 'the warning', 20_000);
    expect(server.stderr()).toMatch(
      /"mode":"daemon-unavailable".*answers GET \/health with status 200 as \\"something-else\\"/,
    );
    expect((await post(mcp_url, 'ping', {})).response.status).toBeLessThan(500);
    expect(await world.health()).toMatchObject({ service: 'something-else' });
    expect(counted(server.stderr(), 'is not the gateway')).toBe(1);
  },
  slow,
);

test(
  'when the foreign service leaves, the daemon is launched after all',
  async () => {
    const world = await createWorld();
    const foreign = createServer((_request, response) => void response.writeHead(404).end());
    await new Promise<void>(resolve => foreign.listen(world.port, '127.0.0.1', resolve));
    const server = world.serve();
    await waitFor(() => server.stderr().includes('with status 404'), 'the warning', 20_000);
    foreign.closeAllConnections();
    await new Promise(resolve => foreign.close(resolve));
    await world.daemon();
  },
  slow,
);

test.each([
  [[], 'daemon-backed', 'daemon_guardian', '[spec:run-mode:daemon-backed]'],
  [
    ['--no-ensure-gateway'],
    'failover_disabled_by_adapter',
    'none',
    '[spec:run-mode:failover_disabled_by_adapter spec:daemon:no-ensure]',
  ],
  [
    ['--no-auto-gateway'],
    'gateway_port_not_configured',
    'none',
    '[spec:run-mode:gateway_port_not_configured spec:daemon:no-auto]',
  ],
  [['--legacy-gateway-election'], 'embedded-fallback', 'embedded_election', ''],
])(
  '%j: the registry row says %s, recovered by %s; a daemon is launched only in the first case %s',
  async (flags, mode, driver) => {
    const world = await createWorld();
    const { instance_id } = await listening(world.serve(...flags));
    const row = JSON.parse(await readFile(world.file(`instances/${instance_id}.json`), 'utf8'));
    expect(row.metadata).toMatchObject({
      gateway_runtime_mode: mode,
      gateway_guardian_enabled: String(driver === 'daemon_guardian'),
      gateway_recovery_driver: driver,
    });
    if (driver === 'daemon_guardian') await world.daemon();
    if (driver !== 'none') return;
    await new Promise(resolve => setTimeout(resolve, 700));
    expect(await world.health()).toBeUndefined();
  },
  slow,
);

test(
  '--legacy-gateway-election: the first to bind serves the gateway, another takes over when it is killed [spec:daemon:legacy-election]',
  async () => {
    const world = await createWorld();
    const first = world.serve('--legacy-gateway-election');
    await listening(first);
    // The election is decided when the server says that it listens.
    expect(await world.health()).toEqual(gatewayHealth);
    const second = world.serve('--legacy-gateway-election', '--spawn-mode', 'dedicated');
    await listening(second);
    expect(second.stderr()).not.toContain('active_gateway');
    first.child.kill('SIGKILL');
    await first.ended;
    await expect.poll(() => second.stderr()).toContain('active_gateway');
    expect(await world.health()).toEqual(gatewayHealth);
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(await world.health()).toBeUndefined();
  },
  slow,
);

test(
  '--daemon returns when the gateway answers and writes the pidfile; SIGTERM ends it and removes the file',
  async () => {
    const world = await createWorld();
    const pidfile = world.file('daemon.pid');
    const parent = world.gateway('--daemon', '--pidfile', pidfile, '--gateway-persist');
    expect([await parent.ended, parent.stdout()]).toEqual([0, '']);
    const pid = Number(await readFile(pidfile, 'utf8'));
    onTestFinished(() => kill(pid));
    expect(pid).not.toBe(parent.child.pid);
    expect(await world.health()).toEqual(gatewayHealth);
    const again = world.gateway('--daemon', '--pidfile', pidfile);
    expect(await again.ended).toBe(7);
    expect(again.stderr()).toMatch(/^error \[CONFLICT\]: .*in use.*\n$/);
    expect(Number(await readFile(pidfile, 'utf8'))).toBe(pid);
    kill(pid, 'SIGTERM');
    await waitFor(() => !isAlive(pid), 'the end of the daemon', 20_000);
    await expect(readFile(pidfile)).rejects.toMatchObject({ code: 'ENOENT' });
  },
  slow,
);

test(
  'a pidfile that cannot be written ends with 6 before anything is started',
  async () => {
    const world = await createWorld();
    const run = world.gateway('--pidfile', world.file('missing/daemon.pid'));
    expect(await run.ended).toBe(6);
    expect(run.stderr()).toMatch(/^error \[PERMISSION_DENIED\]: The pidfile .* cannot be written.*\n$/);
    expect(await world.health()).toBeUndefined();
  },
  slow,
);

test(
  'a taken port ends with 7; --json prints one line',
  async () => {
    const world = await createWorld();
    const run = world.gateway('--json', '--gateway-persist');
    const line = await listening(run);
    const url = `http://127.0.0.1:${world.port}/mcp`;
    expect(line).toEqual({ event: 'listening', url, port: world.port, pid: run.child.pid });
    const second = world.gateway('--json');
    expect(await second.ended).toBe(7);
    expect(JSON.parse(second.stderr())).toMatchObject({ error: { code: 'CONFLICT', exit_code: 7 } });
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
  },
  slow,
);
