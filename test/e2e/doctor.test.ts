/** `svc-cli doctor` against what goes wrong in practice: it names it, says what to run next, and changes nothing. */
import { chmod, lstat, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot, packageVersion } from '../../kernel/index.ts';
import { tempDir, waitFor } from '../helper.ts';
import { writeFiles } from '../plugins/skills/support.ts';
import { createWorld, kill } from './gateway-program.ts';
import { listening, runNode } from './program.ts';

const file = join(packageRoot, 'dist', 'svc-cli.js');
const goneId = '00000000-0000-4000-8000-000000000001';
/** Above the process ids of every system. */
const gonePid = 2147483646;

interface Found {
  check: string;
  level: string;
  message: string;
  next?: string;
}

/** Node itself refuses every write and every child: the promise that nothing changes is not ours alone. */
const readOnly = [
  Number(process.versions.node.split('.')[0]) < 23 ? '--experimental-permission' : '--permission',
  ...[
    '--allow-fs-read=*',
    '--allow-addons',
    ...(Number(process.versions.node.split('.')[0]) >= 25 ? ['--allow-net'] : []),
  ],
].join(' ');

async function doctor(env: NodeJS.ProcessEnv, ...args: string[]) {
  const running = runNode(file, ['doctor', ...args], { NODE_OPTIONS: readOnly, ...env });
  running.child.stdin?.end();
  const code = await running.ended;
  const report = JSON.parse(running.stdout()) as Record<string, unknown> & { checks: Found[] };
  const found = (check: string): Found[] => report.checks.filter(each => each.check === check);
  return { code, report, found };
}

/** Every file below a folder with all that a write would change. */
async function tree(folder: string): Promise<Record<string, string>> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))].sort();
  const entries = names.map(async name => {
    const { mode, size, mtimeMs, ino } = await lstat(join(folder, name));
    const text = await readFile(join(folder, name), 'latin1').catch(() => '');
    return [name, `${mode} ${size} ${mtimeMs} ${ino} ${text}`];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** A home in which everything is wrong that can be, and a stranger at the gateway's port. */
async function brokenHome() {
  const directory = await tempDir('svc-doctor-');
  const at = (name: string): string => join(directory, name);
  const other = createServer((_request, response) => response.end('{}'));
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const row = { instance_id: goneId, dcc_type: 'maya', host: '127.0.0.1', port: 1, pid: gonePid };
  await writeFiles(directory, {
    'svc/run/2147483646.json': JSON.stringify({
      ...{ kind: 'server', name: 'maya', pid: gonePid, url: 'http://127.0.0.1:1/mcp', log_file: at('maya.log') },
      job_storage_path: at('damaged.db'),
    }),
    'svc/run/7.json': '{',
    'svc/run/2147483645.sock': '',
    [`registry/instances/${goneId}.json`]: JSON.stringify(row),
    'registry/instances/none.json': 'no JSON',
    'registry/quarantine/old.json.1': '',
    'registry/gateway-launch.lock': JSON.stringify({ pid: gonePid }),
    [`registry/gateway-autolaunch-${port}.json`]: JSON.stringify({ pid: gonePid, stderr_log: at('stderr.log') }),
    'stderr.log': 'it failed\n',
    'damaged.db': 'SQLite format 3\0'.padEnd(8192, 'x'),
    'skills/bad/SKILL.md': 'no frontmatter',
  });
  const foreign = new Sqlite(at('foreign.db'));
  foreign.exec('CREATE TABLE theirs (a)').close();
  await chmod(at('registry'), 0o777);
  const ahead = Date.now() / 1000 + 3600;
  await utimes(at(`registry/instances/${goneId}.json`), ahead, ahead);
  const env = { SVC_REGISTRY_DIR: at('registry'), XDG_STATE_HOME: directory, SVC_GATEWAY_PORT: String(port) };
  const more = { SVC_JOB_STORAGE_PATH: at('foreign.db'), SVC_SKILL_PATHS: at('skills') };
  return { directory, at, port, env: { ...env, ...more } };
}

test('each thing that is wrong is named, with the command to run next; nothing changes', async () => {
  const { directory, at, port, env } = await brokenHome();
  const before = await tree(directory);
  const [{ code, report, found }, invalid] = await Promise.all([
    doctor(env),
    doctor({ ...env, SVC_LOG_LEVEL: 'loud' }),
  ]);
  expect(await tree(directory)).toEqual(before);
  expect([code, invalid.code]).toEqual([1, 1]);
  expect(report).toMatchObject({
    status: 'error',
    cli: { name: 'svc-cli', version: packageVersion },
    profile: 'local',
    control: { route: 'none', gateway_stats_recorded: false, stats_hint: expect.any(String) },
    local: {
      registry_dir: at('registry'),
      inventory: {
        ...{ ok: false, source: 'file_registry', total: 0, evicted: 1, registry_dir: at('registry') },
        direct_control: { ready: 0, not_ready: 0, reasons: {}, not_ready_instances: [] },
      },
    },
    gateway: { auto_start_enabled: true, default_base_url: `http://127.0.0.1:${port}`, status: 'port_taken' },
    server_binary: join(packageRoot, 'dist/svc-server.js'),
  });
  const told = (check: string) => found(check).map(each => [each.level, each.message, each.next]);
  const containing = (...texts: string[]) => expect.stringMatching(new RegExp(texts.join('.*')));
  expect(told('registry')).toEqual([['error', containing('written by others'), `chmod 700 '${at('registry')}'`]]);
  const here = containing(`pid ${process.pid}\\)`, 'no gateway of svc');
  expect(told('gateway')).toEqual([
    ['error', process.platform === 'win32' ? containing('no gateway') : here, expect.any(String)],
  ]);
  expect(told('clock')).toEqual([['warning', containing('was set back'), 'date']]);
  expect(told('daemon')).toEqual([['warning', containing('has ended'), `tail '${at('stderr.log')}'`]]);
  expect(told('locks')).toEqual([
    ['warning', containing('gateway-launch.lock', 'has ended'), `rm '${at('registry/gateway-launch.lock')}'`],
    ['warning', containing('1 sockets'), `rm '${at('svc/run/2147483645.sock')}'`],
  ]);
  expect(told('instances')).toEqual([
    ['warning', containing('none.json is no row'), expect.stringContaining('cat ')],
    ['warning', containing('1 of 1 rows', String(gonePid)), 'svc-server status'],
  ]);
  expect(told('quarantine')).toEqual([['warning', containing('1 files'), expect.stringContaining('ls -l')]]);
  expect(told('records')).toEqual([
    ['warning', containing('server maya', 'without saying so'), `tail '${at('maya.log')}'`],
    ['warning', containing('1 files', 'no records'), expect.any(String)],
  ]);
  expect(told('job store')).toEqual([
    ['error', containing('damaged.db', 'not a sound'), expect.stringContaining(at('damaged.db'))],
    ['error', containing('foreign.db', 'another program'), expect.stringContaining(at('foreign.db'))],
  ]);
  expect(told('skills')).toEqual([
    ['warning', containing('bad is refused', 'missing_frontmatter'), 'svc-server skills list --status skipped'],
  ]);
  expect(invalid.found('settings')).toMatchObject([
    { level: 'error', message: expect.stringContaining('SVC_LOG_LEVEL'), next: 'env | grep ^SVC_' },
  ]);
  // Every finding says what to do, here and where the settings cannot be read.
  const findings = [...report.checks, ...invalid.report.checks].filter(each => each.level !== 'ok');
  expect(findings.filter(each => !each.next)).toEqual([]);
});

test('what runs is named and left alone; the store of a server is in use, and after a kill it waits for the next', async () => {
  const world = await createWorld();
  await writeFiles(world.directory, { 'skills/bad/SKILL.md': 'no frontmatter' });
  await mkdir(join(world.directory, 'state'), { mode: 0o700 });
  const store = join(world.directory, 'jobs.db');
  await writeFile(
    join(world.directory, 'server.yaml'),
    `registry_dir: ${world.directory}\ngateway_port: ${world.port}\njob_storage_path: ${store}\n`,
  );
  const env = {
    XDG_STATE_HOME: join(world.directory, 'state'),
    SVC_GATEWAY_PORT: String(world.port),
    SVC_REGISTRY_DIR: world.directory,
  };
  const server = runNode(
    join(packageRoot, 'dist/svc-server.js'),
    [
      ...['serve', '--json', '--dcc-type', 'maya', '--config', join(world.directory, 'server.yaml')],
      ...['--no-bundled-skills', '--skill-path', join(world.directory, 'skills')],
    ],
    env,
  );
  const { instance_id, pid } = await listening(server);
  await world.daemon();
  const found = await waitFor(
    async () => {
      const seen = await doctor(env, '--config', join(world.directory, 'server.yaml'));
      return seen.report.status === 'error' || seen.found('server maya').length === 0 ? undefined : seen;
    },
    'the record of the server',
    20_000,
  );
  expect(found.code).toBe(0);
  expect(found.report).toMatchObject({
    control: { route: 'gateway', gateway_stats_recorded: true },
    local: { inventory: { ok: true, total: 1, direct_control: { ready: 1, not_ready: 0 } } },
    gateway: { status: 'running' },
  });
  expect(found.found('job store')).toMatchObject([{ level: 'ok', message: expect.stringContaining('in use') }]);
  expect(found.found('daemon')).toMatchObject([{ level: 'ok', message: expect.stringContaining('launched') }]);
  expect(found.found('skills').at(-1)).toMatchObject({
    level: 'warning',
    message: 'maya refused 1 skill package',
    next: expect.stringContaining(String(instance_id).slice(0, 8)),
  });
  kill(pid);
  await server.ended;
  const { found: after } = await doctor(env);
  expect(after('job store')).toMatchObject([{ level: 'ok', message: expect.stringMatching(/not closed|is sound/) }]);
  expect(after('records')).toMatchObject([{ level: 'warning', message: expect.stringContaining(`pid ${pid}`) }]);
});

test('a program that takes connections and says nothing is named', async () => {
  const silent = createSocketServer();
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const directory = await tempDir('svc-doctor-');
  const port = String((silent.address() as AddressInfo).port);
  const { report, found } = await doctor({
    SVC_GATEWAY_PORT: port,
    XDG_STATE_HOME: directory,
    SVC_REGISTRY_DIR: directory,
  });
  expect(report.gateway).toMatchObject({ status: 'not_answering' });
  expect(found('gateway')).toMatchObject([{ level: 'error', message: expect.stringContaining('does not answer') }]);
});
