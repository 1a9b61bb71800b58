/** Two builds of different versions: the daemon of the older gives way to the newer, and nobody who calls notices. */
import { chown, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { localAuthorization } from '../../schemas/local-key.ts';
import { type LoadReport, startLoad } from '../gateway-load.ts';
import { tempDir, waitFor } from '../helper.ts';
import { otherBuild } from '../other-build.ts';
import { writeSkill } from '../spec/skill-package.ts';
import { createWorld, gatewayHealth, isAlive, kill, type World } from './gateway-program.ts';
import { listening, type Run, runProgram } from './program.ts';

const slow = 120_000;

let builds = '';
let newer = '';
beforeAll(async () => {
  builds = await mkdtemp(join(tmpdir(), 'svc-builds-'));
  newer = await otherBuild(builds, '99.1.0');
});
afterAll(() => rm(builds, { recursive: true, force: true }));

const slots = {
  description: 'Counts.',
  dcc: 'maya',
  tools: [
    { name: 'answer', description: 'Answers.', body: 'return { answer: 42 };', input_schema: { type: 'object' } },
  ],
};

const version = async (world: World): Promise<unknown> => ((await world.health()) as { version?: string })?.version;
const manifest = async (world: World): Promise<{ pid: number; args: string[] }> =>
  JSON.parse(await readFile(world.file(`gateway-autolaunch-${world.port}.json`), 'utf8'));
const gatewayRows = async (world: World) => (await world.rows()).filter(each => each.dcc_type === '__gateway__');

/** A server of the running version with a tool, behind the daemon that it launched; resolves with the tool's slug. */
async function served(world: World, ...args: string[]): Promise<string> {
  const skills = await tempDir();
  await writeSkill(skills, 'slots', slots);
  const { instance_id } = await listening(world.serve('--dcc-type', 'maya', '--skill-paths', skills, ...args));
  await world.daemon();
  const post = async (path: string, body: object): Promise<number> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const url = `http://127.0.0.1:${world.port}${path}`;
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  const about = { skill_name: 'slots', instance_id };
  await waitFor(async () => (await post('/v1/load_skill', about)) === 200, 'the skill', 20_000);
  const slug = `maya.${String(instance_id).slice(0, 8)}.answer`;
  await waitFor(async () => (await post('/v1/call', { tool_slug: slug, arguments: {} })) === 200, 'the tool', 20_000);
  return slug;
}

const flawless = ({ calls, failed, retryable }: LoadReport): void => {
  expect({ failed, retryable }).toEqual({ failed: {}, retryable: 0 });
  expect(calls).toBeGreaterThan(10);
};

test(
  'two newer servers at once have the daemon replaced once, under load: no call fails, none is even refused; its settings stay',
  async () => {
    const world = await createWorld();
    const allowed_origins = ['https://studio.example'];
    const config = world.file('server.json');
    await writeFile(config, JSON.stringify({ allowed_origins }), { mode: 0o600 });
    const slug = await served(world, '--config', config);
    const before = (await manifest(world)).pid;
    const load = startLoad(world.port, slug, 4);
    const runs = [world.serveFrom(newer), world.serveFrom(newer)];
    await Promise.all(runs.map(listening));
    await waitFor(async () => (await version(world)) === '99.1.0', 'the newer gateway', 40_000);
    await waitFor(() => !isAlive(before), 'the end of the older one', 20_000);
    const report = await load.stop();
    flawless(report);

    const said = (run: Run, text: string): number => run.stderr().split(text).length - 1;
    await waitFor(() => runs.every(each => said(each, 'the gateway daemon answers') > 0), 'both to be content', 20_000);
    expect(runs.map(each => said(each, 'replaced the gateway daemon of version')).sort()).toEqual([0, 1]);
    // It is written down where people and programs look, and it is the only one.
    const { pid, args } = await manifest(world);
    expect(args.join(' ')).toContain('99.1.0');
    expect(await gatewayRows(world)).toMatchObject([{ pid, version: '99.1.0' }]);
    const settings = JSON.parse(await readFile(world.file(`gateway-${world.port}-settings.json`), 'utf8'));
    expect(settings.allowed_origins).toEqual(allowed_origins);

    // Who is older leaves it alone.
    const old = world.serve();
    await listening(old);
    await waitFor(() => old.stderr().includes('the gateway daemon answers'), 'the older server', 20_000);
    expect((await manifest(world)).pid).toBe(pid);
    expect(await world.health()).toEqual({ ...gatewayHealth, version: '99.1.0' });
  },
  slow,
);

/** An agent at the gateway, in a session of its own. */
async function agent(world: World) {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${world.port}/mcp`));
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes += 1;
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, session: () => transport.sessionId, changes: () => changes };
}

test(
  'the session of an MCP client goes on in the newer gateway: its calls are answered, and its stream comes back',
  async () => {
    const world = await createWorld();
    const slug = await served(world);
    const { client, session, changes } = await agent(world);
    const call = () => client.callTool({ name: 'call', arguments: { tool_slug: slug, arguments: {} } });
    expect((await call()).isError).not.toBe(true);
    const [before, known] = [(await manifest(world)).pid, session()];
    await listening(world.serveFrom(newer));
    while (isAlive(before)) expect((await call()).isError).not.toBe(true);
    expect(await version(world)).toBe('99.1.0');
    expect((await call()).isError).not.toBe(true);
    expect(session()).toBe(known);
    const told = changes();
    const unload = {
      name: 'call',
      arguments: { tool_slug: slug.replace('answer', 'unload_skill'), arguments: { skill_name: 'slots' } },
    };
    await waitFor(
      async () => {
        await client.callTool(unload);
        await client.callTool({ name: 'load_skill', arguments: { tool_slug: slug } });
        return changes() > told;
      },
      'the news on its stream',
      20_000,
    );
  },
  slow,
);

test(
  'an operator restarts the gateway, launched or in the foreground, under load: no call fails, sessions and settings stay',
  async () => {
    const world = await createWorld();
    const slug = await served(world, '--gateway-wait-timeout-ms', '4321');
    const { client, session } = await agent(world);
    const call = () => client.callTool({ name: 'call', arguments: { tool_slug: slug, arguments: {} } });
    const known = session();
    const told = async (command: string) => {
      const run = runProgram([command, 'gateway', '--json']);
      expect([await run.ended, run.stderr()]).toEqual([0, '']);
      return JSON.parse(run.stdout());
    };
    const load = startLoad(world.port, slug, 4);
    let before = (await manifest(world)).pid;
    // The second is the restart of a restarted one.
    for (let round = 0; round < 2; round += 1) {
      const [ended] = (await told('restart')).ended;
      expect(ended).toMatchObject({ pid: before, outcome: 'restarted' });
      // The one that ends is not shown any more, and the other is written down in its place.
      const shown = (await told('status')).running.map((each: { pid: number }) => each.pid);
      expect(shown).toEqual([ended.new_pid]);
      expect((await manifest(world)).pid).toBe(ended.new_pid);
      await waitFor(() => !isAlive(before), 'the end of the one before', 20_000);
      before = ended.new_pid;
    }
    flawless(await load.stop());
    expect((await call()).isError).not.toBe(true);
    expect(session()).toBe(known);
    const settings = JSON.parse(await readFile(world.file(`gateway-${world.port}-settings.json`), 'utf8'));
    expect(settings).toMatchObject({ gateway_wait_timeout_ms: 4321 });

    const own = world.gateway('--port', '0', '--json', '--name', 'own', '--gateway-persist');
    const { pid } = await listening(own);
    const restart = runProgram(['restart', 'own', '--json']);
    expect(await restart.ended).toBe(0);
    const { new_pid } = JSON.parse(restart.stdout()).ended[0];
    onTestFinished(() => kill(new_pid));
    expect([await own.ended, pid === new_pid, isAlive(new_pid)]).toEqual([0, false, true]);
  },
  slow,
);

test(
  'a newer gateway that does not start leaves the older one serving; that is said once',
  async () => {
    const world = await createWorld();
    const slug = await served(world);
    const { pid } = await manifest(world);
    const broken = await otherBuild(builds, '99.2.0');
    await rename(broken, join(dirname(broken), 'whole.js'));
    await writeFile(broken, "if (process.argv[2] === 'gateway') process.exit(3);\nawait import('./whole.js');\n");
    const run = world.serveFrom(broken);
    await listening(run);
    const load = startLoad(world.port, slug, 2);
    await waitFor(() => run.stderr().includes('and stays'), 'the refusal', 60_000);
    flawless(await load.stop());
    expect(run.stderr()).toMatch(
      /the gateway daemon is of the older version [\d.]+, and stays: the newer gateway did not/,
    );
    const rounds = run.stderr().split('and stays').length;
    await new Promise(resolve => setTimeout(resolve, 1500));
    expect(run.stderr().split('and stays')).toHaveLength(rounds);
    expect((await manifest(world)).pid).toBe(pid);
    expect(isAlive(pid)).toBe(true);
  },
  slow,
);

test(
  'a gateway that somebody runs in the foreground is not taken out of their hands: it ends, and the next is launched',
  async () => {
    const world = await createWorld();
    const own = world.gateway('--gateway-persist');
    await waitFor(world.health, 'the gateway', 20_000);
    const run = world.serveFrom(newer);
    await listening(run);
    expect(await own.ended).toBe(0);
    await waitFor(async () => (await version(world)) === '99.1.0', 'the newer gateway', 40_000);
    await waitFor(async () => (await gatewayRows(world)).length > 0, 'its row', 10_000);
    expect(await gatewayRows(world)).toMatchObject([{ version: '99.1.0' }]);
  },
  slow,
);

test(
  'a command that another could have laid out is not run: only a file of this user counts',
  async context => {
    if (process.getuid?.() !== 0) context.skip('only root can make a file of another user');
    const world = await createWorld();
    await served(world);
    const { pid } = await manifest(world);
    const proof = world.file('proof');
    const file = world.file(`gateway-${world.port}-successor.json`);
    const code = `require('fs').writeFileSync(${JSON.stringify(proof)}, '')`;
    await writeFile(file, JSON.stringify({ executable: process.execPath, args: ['-e', code] }));
    await chown(file, 65534, 65534);
    onTestFinished(() => kill(pid));
    const answer = await fetch(`http://127.0.0.1:${world.port}/gateway/yield`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: String(localAuthorization(world.directory, world.port)),
      },
      body: JSON.stringify({ challenger_version: '99.0.0' }),
    });
    expect(await answer.json()).not.toHaveProperty('successor_pid');
    await expect(readFile(proof)).rejects.toMatchObject({ code: 'ENOENT' });
  },
  slow,
);
