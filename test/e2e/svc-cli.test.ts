/** `svc-cli` as its user has it: real processes, a real gateway with a real instance, pipes and exit codes. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { waitFor } from '../helper.ts';
import { installed, reviewed } from '../plugins/feedback/support.ts';
import { writeFiles } from '../plugins/skills/support.ts';
import { type Tracked, trackerWith } from '../tracker.ts';
import { createWorld, kill, type World } from './gateway-program.ts';
import { listening, type Run, runCommand, runNode, runProgram } from './program.ts';

const file = join(packageRoot, 'dist', 'svc-cli.js');

interface Ended {
  code: number | string;
  stdout: string;
  stderr: string;
}

/** A gateway, a server with a skill, and the program that finds them. */
async function withServer() {
  const world = await createWorld();
  await writeFiles(join(world.directory, 'skills/render-kit'), {
    'SKILL.md': '---\nname: render-kit\ndescription: Renders.\n---\n\nUse it.\n',
    'tools.yaml': [
      'tools:',
      '  - name: render',
      '    description: Renders frames.',
      '    input_schema: { type: object, required: [frames], properties: { frames: { type: integer }, layers: { type: array, items: { type: string } } } }',
      '  - { name: bake, description: Bakes., execution: async }',
      '  - { name: wait, description: Waits., execution: async }',
      '  - { name: refuse, description: Refuses. }',
      '  - { name: fancy, description: More., group: advanced }',
      'groups:',
      '  - { name: advanced, description: More., tools: [fancy] }',
    ].join('\n'),
    'tools/render.ts': 'export default (args, ctx) => { ctx.progress(1, 2, "half"); return args; };',
    'tools/bake.ts':
      'export default async () => { await new Promise(r => setTimeout(r, 300)); return { baked: true }; };',
    'tools/wait.ts':
      'import { setTimeout as p } from "node:timers/promises";\nexport default (_, ctx) => p(60000, 0, ctx);',
    'tools/refuse.ts': 'export default () => ({ success: false, message: "not today" });',
    'tools/fancy.ts': 'export default () => "fancy";',
  });
  const SVC_TRAFFIC_CAPTURE = `jsonl:${join(world.directory, 'captured.jsonl')}`;
  const gateway = runProgram(['gateway', '--gateway-persist'], { ...environment(world), SVC_TRAFFIC_CAPTURE });
  await waitFor(world.health, 'the gateway', 20_000);
  const server = world.serve('--dcc-type', 'maya', '--skill-path', join(world.directory, 'skills'));
  const { instance_id, pid } = await listening(server);
  const id8 = String(instance_id).slice(0, 8);
  const cli = (...args: string[]) => run(world, args);
  await waitFor(async () => (await cli('search', 'render')).stdout.includes('.render'), 'the tools are known', 20_000);
  return { world, cli, id8, instance_id, pid, gateway };
}

const environment = (world: World) => ({
  SVC_REGISTRY_DIR: world.directory,
  SVC_GATEWAY_PORT: String(world.port),
});

async function run(world: World, args: readonly string[], input = '', started?: (run: Run) => void): Promise<Ended> {
  const running = runNode(file, args, environment(world), world.directory);
  running.child.stdin?.end(input);
  started?.(running);
  return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
}

const failure = ({ stderr }: Ended) => JSON.parse(stderr).error;

test('a tool is found, described, loaded and called; jobs are followed, listed and cancelled', async () => {
  const { world, cli, id8, instance_id, pid, gateway } = await withServer();
  const slug = (name: string) => `maya.${id8}.${name}`;
  const [instances, unloaded, described, human] = await Promise.all([
    cli('instances'),
    cli('call', slug('render'), '--arg', 'frames=1'),
    cli('describe', slug('render'), '--output', 'human'),
    cli('instances', '--output', 'human'),
  ]);
  expect(JSON.parse(instances.stdout)).toMatchObject({ total: 1, instances: [{ dcc_type: 'maya' }] });
  expect(instances.stderr).toBe('');
  expect(human.stderr).toContain(`gateway http://127.0.0.1:${world.port} (pid ${gateway.child.pid}, version `);
  expect(human.stdout).toMatch(new RegExp(`NAME +STATUS +ID +SCENE +ADDRESS\\nmaya +available +${id8} `));
  expect(unloaded.code).toBe(7);
  expect(failure(unloaded)).toMatchObject({
    code: 'CONFLICT',
    exit_code: 7,
    details: {
      kind: 'skill-not-loaded',
      recommended_next_action: expect.stringMatching(/^svc-cli load-skill render-kit --instance/),
    },
  });
  expect(described.stdout).toMatch(
    /frames +integer +required[\s\S]*svc-cli load-skill render-kit\n {2}svc-cli call maya/,
  );
  const loaded = await cli('load-skill', 'render-kit');
  expect(JSON.parse(loaded.stdout).new_tool_slugs).toContain(slug('render'));

  const piped = (input: string, ...args: string[]) => run(world, ['call', slug('render'), ...args], input);
  await writeFile(join(world.directory, 'arguments.json'), '{"frames":4}');
  const called = await Promise.all([
    cli('call', 'render', '--arg', 'frames=1', '--arg', 'layers=a', '--arg', 'layers=b'),
    piped('', '--json', '{"frames":2}'),
    piped('{"frames":3}'),
    piped('', '--arguments', '@arguments.json', '--output', 'human'),
    cli('call', slug('bake')),
  ]);
  expect(called.map(each => [each.code, JSON.parse(each.stdout)])).toEqual([
    [0, { frames: 1, layers: ['a', 'b'] }],
    [0, { frames: 2 }],
    [0, { frames: 3 }],
    [0, { frames: 4 }],
    [0, { baked: true }],
  ]);
  expect(called[3]?.stderr).toContain('  1/2 half\n');
  const counted = await Promise.all(
    [
      ...['--skill render-kit', '--dcc-type maya', '--tool render', '--status success', `--instance-id ${instance_id}`],
      ...['--skill other', '--status failed', '--session-id nobody', '--range 1h --tool nobody'],
    ].map(async flags => JSON.parse((await cli('stats', ...flags.split(' '))).stdout).total_calls as number),
  );
  expect(counted.map(each => each > 0)).toEqual([true, true, true, true, true, false, true, false, false]);
  const bad = await Promise.all([
    cli('call', slug('rendr'), '--arg', 'frames=1'),
    cli('call', slug('render'), '--json', '{"frames":'),
    cli('call', slug('render'), '--arguments', '@skills'),
    cli('call', slug('render'), '--arguments', '@none.json'),
    piped('{"frames":"x"}'),
    cli('jobs', 'show', 'nobody'),
    cli('call', slug('refuse')),
    cli('call', slug('wait'), '--timeout', '1'),
  ]);
  expect(bad.map(each => [each.code, failure(each).code])).toEqual([
    ...Array.from({ length: 6 }, () => [2, 'INVALID_INPUT']),
    [1, 'GENERAL_ERROR'],
    [4, 'TIMEOUT'],
  ]);
  expect(failure(bad[0] as Ended).message).toContain(`did you mean ${slug('render')}`);

  // Ctrl-C takes the call back, and its job too.
  const jobs = async (status: string) => JSON.parse((await cli('jobs', '--status', status)).stdout).jobs;
  await waitFor(async () => (await jobs('running')).length === 0, 'the late call has no job');
  const stopped = run(world, ['call', slug('wait')], '', async ({ child }) => {
    await waitFor(async () => (await jobs('running')).length === 1, 'the job runs');
    child.kill('SIGINT');
  });
  expect([(await stopped).code, failure(await stopped).code]).toEqual([5, 'CANCELLED']);
  await waitFor(async () => (await jobs('running')).length === 0, 'its job ends');

  const dying = run(world, ['call', slug('wait')], '', async () => {
    await waitFor(async () => (await jobs('running')).length === 1, 'the job runs');
    kill(pid);
  });
  // Its connection broke, or it was known to be gone already.
  expect([1, 3]).toContain((await dying).code);
  expect(failure(await dying).message).toContain(id8);
}, 90_000);

test('every example of every help and of the guide runs', async () => {
  const { world, cli, id8 } = await withServer();
  const manifest = JSON.parse(await readFile(join(packageRoot, 'dist/svc-cli/oclif.manifest.json'), 'utf8'));
  const ofHelp = Object.values<{ examples?: string[] }>(manifest.commands).flatMap(each => each.examples ?? []);
  expect(ofHelp.length).toBeGreaterThan(25);
  const guide = await readFile(join(packageRoot, 'cli/svc-cli/guide.md'), 'utf8');
  const ofGuide = [...guide.matchAll(/^```sh\n(.*?)\n```$/gms)].flatMap(([, lines = '']) => lines.split('\n'));
  expect(ofGuide.length).toBeGreaterThan(10);
  const examples = new Set([...ofHelp.map(each => each.replaceAll('<%= config.bin %>', 'svc-cli')), ...ofGuide]);
  await cli('load-skill', 'render-kit');
  await cli('call', 'render', '--arg', 'frames=1');
  const captured = join(world.directory, 'captured.jsonl');
  const traffic = await waitFor(async () => {
    const text = await readFile(captured, 'utf8').catch(() => '');
    return text.includes('"frames"') ? text : undefined;
  }, 'the call is captured');
  await cli('call', 'bake');
  const [{ job_id }] = JSON.parse((await cli('jobs')).stdout).jobs;
  await mkdir(join(world.directory, 'bin'));
  const program = join(world.directory, 'bin/svc-cli');
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`);
  await chmod(program, 0o755);
  const files = {
    'arguments.json': '{"frames":4}',
    'server.yaml': 'dcc_type: maya\n',
    'finding.json': JSON.stringify(reviewed),
    'report.json': JSON.stringify(installed),
    'studio-catalog.yml':
      'version: "1"\nentries:\n  - { name: dcc-mcp-maya, issues_url: https://github.com/dcc-mcp/dcc-mcp-maya/issues }\n',
    'traffic.jsonl': traffic,
  };
  await writeFiles(world.directory, files);
  const tracked = await trackerWith();
  const typed = [...examples].map(each =>
    each
      .replaceAll('12ab34cd', id8)
      .replaceAll(':9765', `:${world.port}`)
      .replaceAll(/3f0c6d1e-[0-9a-f-]{27}/g, job_id),
  );
  // Always as many at once, so that none waits for a slow one.
  const waiting = [...new Set(typed)];
  const inTurn = async () => {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      const { code, stdout, stderr } = await shell(world, tracked, line);
      expect([line, code, stderr]).toEqual([line, 0, '']);
      expect(stdout !== '' || line.includes('>')).toBe(true);
    }
  };
  await Promise.all(Array.from({ length: 6 }, inTurn));
}, 90_000);

/** As a shell runs it. */
async function shell(world: World, { env }: Tracked, line: string): Promise<Ended> {
  const PATH = `${join(world.directory, 'bin')}:${env.PATH}:${process.env.PATH}`;
  const running = runCommand('sh', ['-c', line], { ...env, ...environment(world), PATH }, world.directory);
  running.child.stdin?.end();
  return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
}
