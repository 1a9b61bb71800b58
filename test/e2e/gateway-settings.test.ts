/** What a server says about the gateway reaches the daemon that it launches, and who wants something else is told. */
import { spawnSync } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { digestOf } from '../../schemas/tokens.ts';
import { tempDir, waitFor } from '../helper.ts';
import { createWorld, kill, type World } from './gateway-program.ts';
import { listening, program, runNode } from './program.ts';

const slow = 60_000;
const nobody = 65534;
const token = 'a-token-of-16-and-more';

const asked = async (
  world: World,
  path: string,
  body: object,
  authorization = `Bearer ${token}`,
): Promise<{ status: number; text: string }> => {
  const headers = { 'content-type': 'application/json', authorization };
  const url = `http://127.0.0.1:${world.port}${path}`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
};

test(
  'file, flags and environment of a server reach its daemon, secrets by no way that others read; a second server is told what differs',
  async () => {
    const world = await createWorld();
    const config = world.file('server.yaml');
    await writeFile(
      config,
      `auth_tokens: [{ token: ${token}, label: farm, scopes: [admin] }]\ngateway_wait_timeout_ms: 1234\n`,
    );
    const env = { SVC_GATEWAY_RESPONSE_FORMAT: 'json', SVC_GATEWAY_READ_ONLY: 'false' };
    const flags = ['--gateway-read-only', '--session-ttl-secs', '77', '--log-level', 'debug'];
    const all = ['serve', '--json', '--gateway-port', String(world.port), '--registry-dir', world.directory, ...flags];
    const first = runNode(program, [...all, '--config', config], env);
    await listening(first);
    const pid = await world.daemon();
    const known = async (): Promise<boolean> => {
      const listed = await fetch(`http://127.0.0.1:${world.port}/v1/instances`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return ((await listed.json()) as { instances: unknown[] }).instances.length > 0;
    };
    await waitFor(known, 'the server at its gateway', 10_000);

    // They hold: tokens, the format of answers, the read-only policy over the environment that says otherwise.
    expect((await asked(world, '/v1/instances/register', {}, '')).status).toBe(401);
    const found = await asked(world, '/v1/search', { query: 'x' });
    expect(JSON.parse(found.text)).toHaveProperty('hits');
    const loaded = await asked(world, '/v1/load_skill', { skill_name: 'diagnostics' });
    expect(loaded).toMatchObject({ status: 403, text: expect.stringContaining('read') });

    const file = world.file(`gateway-${world.port}-settings.json`);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      ...{
        auth_tokens: [{ label: 'farm', scopes: ['admin'], sha256: digestOf(token) }],
        gateway_wait_timeout_ms: 1234,
      },
      ...{ gateway_response_format: 'json', gateway_read_only: true, session_ttl_secs: 77, log_level: 'debug' },
    });
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    const manifest = await readFile(world.file(`gateway-autolaunch-${world.port}.json`), 'utf8');
    expect(manifest).not.toContain(token);
    if (process.platform === 'linux') {
      for (const each of ['cmdline', 'environ']) {
        expect(await readFile(`/proc/${pid}/${each}`, 'latin1')).not.toMatch(/a-token|SVC_GATEWAY_R/);
      }
    }

    const second = world.serve('--session-ttl-secs', '77', '--gateway-wait-timeout-ms', '1234');
    const { instance_id, mcp_url } = await listening(second);
    await waitFor(() => second.stderr().includes('is set otherwise'), 'the word', 20_000);
    const said = /is set otherwise than this server would set it: ([^"]*)\. Who/.exec(second.stderr())?.[1];
    expect(said?.split(', ').sort()).toEqual([
      'auth_tokens',
      'gateway_read_only (false here',
      'gateway_response_format',
      'true there)',
    ]);
    expect(second.stderr()).not.toContain(token);
    const differing = async (): Promise<unknown> => {
      const row = (await world.rows()).find(each => each.instance_id === instance_id);
      return (row as { metadata: Record<string, string> } | undefined)?.metadata.gateway_settings_differ;
    };
    await waitFor(differing, 'the word in the row', 10_000);
    expect(
      String(await differing())
        .split(',')
        .sort(),
    ).toEqual(['auth_tokens', 'gateway_read_only', 'gateway_response_format']);
    const { gateway } = (await (await fetch(mcp_url.replace(/mcp$/, 'health'))).json()) as { gateway: object };
    const names = ['auth_tokens', 'gateway_response_format', 'gateway_read_only'];
    expect(gateway).toEqual({ state: 'ok', mode: 'daemon-backed', settings_differ: names });
    // Launched by itself it would have been otherwise: the next daemon is.
    first.child.kill('SIGKILL');
    await first.ended;
    kill(pid);
    await world.daemon(pid);
    await waitFor(async () => (await differing()) === undefined, 'no difference', 20_000);
    expect(second.stderr()).toContain('is set as this server would set it');
  },
  slow,
);

test(
  'a gateway that reads another registry directory is none of ours: the server says that it is invisible there',
  async () => {
    const world = await createWorld();
    await listening(world.serve());
    await world.daemon();
    const directory = await tempDir();
    const other = world.serve('--registry-dir', directory);
    await listening(other);
    await waitFor(() => other.stderr().includes('daemon-unavailable'), 'the word', 20_000);
    expect(other.stderr()).toContain('is a gateway of another user or of another registry directory');
    expect(other.stderr()).toContain('this server is invisible there');
  },
  slow,
);

/** Whether user `nobody` may run the program: the clone may lie in a folder of its owner alone. */
function anotherMayRun(): boolean {
  const look = ['-e', 'require("node:fs").accessSync(process.argv[1])', program];
  return spawnSync(process.execPath, look, { cwd: '/', uid: nobody, gid: nobody }).status === 0;
}

test(
  'two users of one machine do not meet by default: each has a registry of his own, and no server joins the gateway of the other',
  async context => {
    if (process.getuid?.() !== 0) context.skip('only root can start a server as another user');
    if (!anotherMayRun()) context.skip('another user cannot read the program here');
    const world = await createWorld();
    const shared = await tempDir();
    await chmod(shared, 0o1777);
    const args = ['serve', '--json', '--gateway-port', String(world.port), '--no-bundled-skills'];
    const env = { TMPDIR: shared, SVC_REGISTRY_DIR: undefined, SVC_TEST_ORACLE: undefined, HOME: shared };
    const mine = runNode(program, args, env);
    const { instance_id } = await listening(mine);
    await waitFor(world.health, 'the daemon', 20_000);
    const daemon = /"gateway_pid":(\d+),"msg":"launched/;
    await waitFor(() => daemon.test(mine.stderr()), 'the launch', 20_000);
    context.onTestFinished(() => kill(Number(daemon.exec(mine.stderr())?.[1])));
    const theirs = runNode(program, args, env, '/', { uid: nobody, gid: nobody });
    await listening(theirs);
    await waitFor(() => theirs.stderr().includes('this server is invisible there'), 'the word', 20_000);
    const listed = await fetch(`http://127.0.0.1:${world.port}/v1/instances`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { instances } = (await listed.json()) as { instances: { instance_id: string }[] };
    expect(instances.map(each => each.instance_id)).toEqual([instance_id]);
  },
  slow,
);
