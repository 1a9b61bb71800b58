/** The package as a stranger gets it: packed, installed into an empty folder, started and imported there. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { nativeBuild } from './native-build.ts';
import { initializeParams, listening, post, runNode } from './program.ts';

const run = promisify(execFile);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-packed-'));
  // The tests run against what `npm test` has just built: packing must not build it again under them.
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run(npm, pack, { cwd: packageRoot });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`, '@types/node@20'];
  const native = await nativeBuild(join(folder, 'native'));
  await run(npm, install, { cwd: folder, env: { ...process.env, ...native } });
}, 240_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the installed program listens, answers and stops', async () => {
  const program = join(folder, 'node_modules', 'svc', 'dist', 'svc-server.js');
  const server = runNode(program, ['--json'], {}, folder);
  const { mcp_url } = await listening(server);
  const { response, body } = await post(mcp_url, 'initialize', initializeParams);
  expect(body.result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'svc' } });
  const session = response.headers.get('mcp-session-id') ?? '';
  const listed = await post(mcp_url, 'tools/list', {}, session);
  const tools = (listed.body.result?.tools ?? []) as { name: string }[];
  const names = tools.map(each => each.name);
  expect(names).toContain('load_skill');
  expect(names.some(name => name.startsWith('__skill__'))).toBe(true);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('a new TypeScript skill is checked by tsc as it is, and a wrong use of ctx is found', async () => {
  const program = join(folder, 'node_modules', 'svc', 'dist', 'svc-server.js');
  const made = runNode(program, ['skills', 'new', 'typed-kit', '--json'], {}, folder);
  expect(await made.ended).toBe(0);
  const tsc = () => runNode(join(packageRoot, 'node_modules/typescript/bin/tsc'), ['-p', join(folder, 'typed-kit')]);
  const good = tsc();
  expect([await good.ended, good.stdout()]).toEqual([0, '']);
  const file = join(folder, 'typed-kit', 'tools', 'measure_text.ts');
  await writeFile(file, (await readFile(file, 'utf8')).replace('ctx.progress(', 'ctx.progres('));
  const bad = tsc();
  expect([await bad.ended, bad.stdout()]).toEqual([2, expect.stringContaining("Did you mean 'progress'")]);
});

test.each(['ambient', 'dedicated'])('import { createServer } from "svc" works there, %s', async mode => {
  const file = join(folder, `${mode}.mjs`);
  await writeFile(
    file,
    `import { createServer } from 'svc';
const server = createServer({ port: 0, spawn_mode: '${mode}', log_level: 'error' });
await server.registerTool({ name: 'double', input_schema: { type: 'object', properties: { n: { type: 'number' } } } },
  args => ({ doubled: args.n * 2 }));
const service = await server.start();
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const send = async (method, params, more = {}) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(service.mcpUrl(), { method: 'POST', headers: { ...headers, ...more }, body });
  return { session: response.headers.get('mcp-session-id'), text: await response.text() };
};
const { session } = await send('initialize', ${JSON.stringify(initializeParams)});
const { text } = await send('tools/call', { name: 'double', arguments: { n: 21 } }, { 'mcp-session-id': session });
process.stdout.write(text);
await service.shutdown();
`,
  );
  const script = runNode(file, [], {}, folder);
  expect([await script.ended, script.stderr()]).toEqual([0, '']);
  expect(script.stdout()).toContain('\\"doubled\\":42');
});

test('a plugin of another package shares the server\'s copy of Fastify as "svc/fastify"', async () => {
  const plugin = join(folder, 'sharing.mjs');
  await writeFile(
    plugin,
    `import { definePlugin } from 'svc';
import { errorCodes } from 'svc/fastify';
export default definePlugin({ name: 'sharing' }, app => {
  app.decorate('sharing', 1);
  let refused;
  try { app.decorate('sharing', 2); } catch (error) { refused = error; }
  app.get('/sharing', () => ({ same: refused instanceof errorCodes.FST_ERR_DEC_ALREADY_PRESENT }));
});
`,
  );
  const file = join(folder, 'shares.mjs');
  await writeFile(
    file,
    `import { createServer } from 'svc';
const server = createServer({ port: 0, log_level: 'error' }, { plugins: { [process.argv[2]]: true } });
const service = await server.start();
process.stdout.write(await (await fetch(new URL('/sharing', service.mcpUrl()))).text());
await service.shutdown();
`,
  );
  const script = runNode(file, [plugin], {}, folder);
  expect([await script.ended, script.stderr(), script.stdout()]).toEqual([0, '', '{"same":true}']);
});

describe('a plugin of another package: settings, event, errors, route, tool, method and operation', () => {
  const session = `
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const rpc = async (url, method, params, session) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const more = session ? { 'mcp-session-id': session } : {};
  const response = await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body });
  return { session: response.headers.get('mcp-session-id'), ...(await response.json()) };
};`;

  beforeAll(async () => {
    const source = join(packageRoot, 'test', 'fixtures', 'outside-plugin');
    await cp(source, join(folder, 'node_modules', 'my-studio-plugin'), { recursive: true });
  });

  test.each(['ambient', 'dedicated'])('enabled in one line of createServer, %s', async mode => {
    const file = join(folder, `outside-${mode}.mjs`);
    await writeFile(
      file,
      `import { createServer } from 'svc';
${session}
const server = createServer(
  { port: 0, spawn_mode: '${mode}', log_level: 'error' },
  { plugins: { 'my-studio-plugin': { greeting: 'hi' } } },
);
const heard = [];
await server.bus.subscribe('studio.*', event => heard.push(event.attributes.name));
const service = await server.start();
const url = service.mcpUrl();
const seen = {};
seen.route = await (await fetch(new URL('/studio/greet/Ada', url))).json();
const { session } = await rpc(url, 'initialize', ${JSON.stringify(initializeParams)});
seen.tool = (await rpc(url, 'tools/call', { name: 'greet', arguments: { name: 'Ada' } }, session)).result.structuredContent;
seen.method = (await rpc(url, 'studio/greet', { name: 'Ada' }, session)).result;
seen.operation = await server.operation('greet', { name: 'Grace' });
seen.refused = (await rpc(url, 'studio/greet', { name: 'Bob' }, session)).error;
seen.invalid = await server.operation('greet', { nome: 'Ada' }).catch(error => error.code + ': ' + error.message);
while (heard.length < 4) await new Promise(resolve => setTimeout(resolve, 10));
seen.heard = heard;
process.stdout.write(JSON.stringify(seen));
await service.shutdown();
`,
    );
    const script = runNode(file, [], {}, folder);
    expect([await script.ended, script.stderr()]).toEqual([0, '']);
    const said = { said: 'hi, Ada' };
    expect(JSON.parse(script.stdout())).toMatchObject({
      ...{ route: said, tool: said, method: said },
      operation: { said: 'hi, Grace', skills: true },
      refused: { code: -32602, message: 'Nobody is named "Bob": give one of Ada, Grace' },
      invalid: expect.stringMatching(/^SVC_SERVER_INVALID_ARGUMENT: .*name/),
      heard: ['Ada', 'Ada', 'Ada', 'Grace'],
    });
  });

  const program = (): string => join(folder, 'node_modules', 'svc', 'dist', 'svc-server.js');
  const greeted = async (run: ReturnType<typeof runNode>): Promise<unknown> => {
    const { mcp_url } = await listening(run);
    return (await fetch(new URL('/studio/greet/Ada', mcp_url))).json();
  };

  test('by --plugin, by SVC_PLUGINS and by the configuration file', async () => {
    await writeFile(join(folder, 'svc.yaml'), 'plugins:\n  my-studio-plugin:\n    greeting: good day\n');
    const env = { SVC_PLUGINS: '{"my-studio-plugin":{"greeting":"salve"}}' };
    const runs = [
      runNode(program(), ['--json', '--plugin', 'my-studio-plugin'], {}, folder),
      runNode(program(), ['--json'], env, folder),
      runNode(program(), ['--json', '--config', 'svc.yaml'], {}, folder),
    ];
    expect(await Promise.all(runs.map(greeted))).toEqual([
      { said: 'hello, Ada' },
      { said: 'salve, Ada' },
      { said: 'good day, Ada' },
    ]);
  });

  test('a wrong section is refused with the names of the plugin and the field', async () => {
    const env = { SVC_PLUGINS: '{"my-studio-plugin":{"greeting":7}}' };
    const run = runNode(program(), ['--json'], env, folder);
    expect(await run.ended).not.toBe(0);
    expect(run.stderr()).toMatch(/my-studio-plugin.*greeting/s);
  });
});

// Without the declarations of libraries, which take half a minute: `npm run matrix` holds those against this compiler and others.
test('its types resolve for a consumer', async () => {
  const file = join(folder, 'consumer.ts');
  await writeFile(
    file,
    `import { createServer, type Server, type SkillTool, type ToolDefinition } from 'svc';
import { errorCodes } from 'svc/fastify';
export const code: string = new errorCodes.FST_ERR_NOT_FOUND().code;
const server: Server = createServer({ port: 0, spawn_mode: 'ambient' });
const definition: ToolDefinition = { name: 'x' };
const tool: SkillTool<{ a: number }> = (args, ctx) => ({ sum: args.a, skill: ctx.skill });
// @ts-expect-error: not an option
createServer({ prot: 1 });
export const port: number = (await server.start()).port;
export const undo = server.registerTool(definition, (args, call) => ({ args, id: call.requestId }));
export { tool };
`,
  );
  const tsc = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = '--noEmit --strict --module nodenext --target es2022 --skipLibCheck --types node';
  const { stdout } = await run(process.execPath, [tsc, ...options.split(' '), file], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
}, 180_000);

test('the tarball carries what it needs and nothing else', async () => {
  const { stdout } = await run(npm, ['pack', '--ignore-scripts', '--dry-run', '--json'], { cwd: packageRoot });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const paths = files.map(each => each.path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'schemas/README.md',
      'plugins/README.md',
      'kernel/README.md',
      'cli/README.md',
      'package.json',
      'dist/index.js',
      'dist/THIRD-PARTY.txt',
    ]),
  );
  const rooms =
    /^(dist|skills|plugins\/search\/lexicon)\/|^((plugins|kernel|schemas|cli)\/)?([\w-]+\/)*README\.md$|^cli\/(Dockerfile|supervisor\.conf|svc-server\.service)$|^(LICENSE|package\.json)$/;
  expect(paths.filter(path => !rooms.test(path))).toEqual([]);
  expect(paths.filter(path => path.startsWith('skills/examples/'))).toEqual([]);
  expect(paths.filter(path => /\.test\.|fixtures|node_modules/.test(path))).toEqual([]);
});
