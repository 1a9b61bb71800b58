/** What must hold for the installed package, whatever Node runs it. A check throws when it does not. */
import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot, packageVersion } from '../../kernel/index.ts';
import { connect, type Json, type Wire } from '../spec/wire.ts';
import { type Consumer, program, type Run } from './consumer.ts';

export interface Check {
  name: string;
  run(consumer: Consumer): Promise<void>;
}

const patience = 30_000;

async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const end = performance.now() + patience;
  while (performance.now() < end) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(`waited in vain for ${what}`);
}

const quiet = (run: Run): void => assert.doesNotMatch(run.stderr(), /warning|deprecat/i);

/** Runs to the end; resolves with stdout. */
async function output(consumer: Consumer, args: readonly string[]): Promise<string> {
  const run = consumer.start(args);
  assert.equal(await run.ended, 0, run.stderr());
  quiet(run);
  return run.stdout();
}

/** Starts the server, gives a client to `body`, then stops it as Ctrl-C does: clean, silent, code 0. */
async function serving(consumer: Consumer, args: readonly string[], body: (client: Wire) => Promise<void>) {
  const run = consumer.start([program, 'serve', '--json', '--port', '0', '--cache-dir', 'cache', ...args]);
  let over = false;
  void run.ended.then(() => {
    over = true;
  });
  await until('the listening line', () => (run.stdout().includes('\n') || over ? true : undefined));
  assert.ok(run.stdout().includes('\n'), run.stderr());
  const { mcp_url } = JSON.parse(run.stdout()) as { mcp_url: string };
  await body(await connect(mcp_url));
  run.child.kill('SIGINT');
  assert.equal(await run.ended, 0, run.stderr());
  quiet(run);
}

/** The examples of the checkout are no part of the package: whoever wants one puts it into a folder of his own. */
const examples = ['--skill-path', 'examples'];

const failed = (result: Json): boolean => result.isError === true;

/** Calls a tool that must succeed; resolves with its JSON. */
async function call(client: Wire, name: string, args: Json = {}): Promise<Json> {
  const result = await client.call(name, args);
  assert.ok(!failed(result), JSON.stringify(result));
  return result;
}

const textOf = (result: Json): string => JSON.stringify(result.content);

/** Copies the example into `folder`; resolves with the copy's path. */
async function copySkill(consumer: Consumer, folder: string): Promise<string> {
  const copy = join(consumer.folder, folder, 'scene-inspector');
  await cp(join(consumer.folder, 'examples', 'scene-inspector'), copy, { recursive: true });
  return copy;
}

const rewrite = async (file: string, from: string, to: string): Promise<void> => {
  const text = await readFile(file, 'utf8');
  assert.ok(text.includes(from), `${file} lacks ${from}`);
  await writeFile(file, text.replace(from, to));
};

export const checks: readonly Check[] = [
  {
    name: 'npm install warns of nothing but install scripts to approve',
    run: async ({ warnings }) =>
      assert.deepEqual(
        warnings.filter(line => !line.startsWith('npm warn install-scripts')),
        [],
      ),
  },
  {
    name: 'svc-server --version, skills list',
    async run(consumer) {
      const text = await output(consumer, [program, '--version']);
      assert.ok(text.includes(packageVersion) && text.includes(consumer.runtime.version), text);
      const { skills } = JSON.parse(await output(consumer, [program, 'skills', 'list', '--json'])) as Json;
      assert.ok((skills as Json[]).some(each => each.name === 'diagnostics'));
    },
  },
  ...(['ambient', 'dedicated'] as const).map(mode => ({
    name: `serve, ${mode}: list, load an example and a bundled skill, call their tools, Ctrl-C`,
    run: (consumer: Consumer) =>
      serving(consumer, ['--spawn-mode', mode, ...examples], async client => {
        const names = (await client.tools()).map(each => each.name);
        assert.ok(names.includes('load_skill') && names.includes('__skill__scene-inspector'), String(names));
        await call(client, 'load_skill', { skill_name: 'scene-inspector' });
        const { context } = (await client.callJson('list_samples')) as { context: { samples: { path: string }[] } };
        const scene = context.samples.find(each => each.path.endsWith('.glb'));
        assert.match(textOf(await call(client, 'inspect_scene', { path: scene?.path })), /mesh/);
        const { content } = await call(client, 'render_thumbnail', { path: scene?.path });
        assert.match(JSON.stringify(content), /image\/png/);
        await call(client, 'load_skill', { skill_name: 'diagnostics' });
        await call(client, 'process_status');
      }),
  })),
  {
    name: 'a gateway finds a server, loads its skill and calls its tool, by MCP and by REST',
    async run(consumer) {
      const registry = ['--registry-dir', join(consumer.folder, 'registry')];
      const gateway = consumer.start([program, 'gateway', '--json', '--port', '0', ...registry]);
      const line = await until('the gateway', () => gateway.stdout().split('\n', 2)[0] || undefined);
      const { url } = JSON.parse(line) as { url: string };
      const post = async (path: string, body: Json): Promise<Json> => {
        const headers = { accept: 'application/json', 'content-type': 'application/json' };
        const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) });
        return (await answer.json()) as Json;
      };
      await serving(consumer, ['--no-ensure-gateway', '--dcc-type', 'maya', ...registry, ...examples], async () => {
        const hit = await until('the tool of the server', async () => {
          const { hits } = await post('/v1/search', { query: 'list_samples' });
          return (hits as Json[]).find(each => each.backend_tool === 'list_samples');
        });
        const { rest } = hit.next_step as { rest: { path: string; body: Json } };
        assert.equal((await post(rest.path, rest.body)).loaded, true);
        const client = await connect(url);
        const answer = await call(client, 'call', { tool_slug: hit.tool_slug });
        assert.match(textOf(answer), /samples/);
        assert.match(JSON.stringify(await post('/v1/call', { tool_slug: hit.tool_slug })), /samples/);
      });
      gateway.child.kill('SIGINT');
      assert.equal(await gateway.ended, 0, gateway.stderr());
    },
  },
  {
    name: 'a skill reloads when its file changes, unloads',
    async run(consumer) {
      const copy = await copySkill(consumer, 'watched');
      await serving(consumer, ['--no-bundled-skills', '--skill-path', 'watched'], async client => {
        await call(client, 'load_skill', { skill_name: 'scene-inspector' });
        assert.match(textOf(await call(client, 'list_samples')), /4 sample scenes;/);
        await rewrite(join(copy, 'tools', 'list-samples.ts'), 'sample scenes;', 'scenes of the new version;');
        await until('the new version', async () =>
          textOf(await call(client, 'list_samples')).includes('4 scenes of the new version;') ? true : undefined,
        );
        await call(client, 'unload_skill', { skill_name: 'scene-inspector' });
      });
    },
  },
  {
    name: 'a skill with isolation: process',
    async run(consumer) {
      const copy = await copySkill(consumer, 'isolated');
      await rewrite(join(copy, 'SKILL.md'), 'isolation: worker', 'isolation: process');
      await serving(consumer, ['--no-bundled-skills', '--skill-path', 'isolated'], async client => {
        await call(client, 'load_skill', { skill_name: 'scene-inspector' });
        assert.match(textOf(await call(client, 'list_samples')), /4 sample scenes;/);
      });
    },
  },
  {
    name: 'a background job is stored by SQLite and known after a restart',
    async run(consumer) {
      const args = ['--job-storage-path', 'jobs.sqlite', ...examples];
      let id = '';
      const status = (client: Wire): Promise<Json> => client.callJson('jobs_get_status', { job_id: id });
      await serving(consumer, args, async client => {
        await call(client, 'load_skill', { skill_name: 'scene-inspector' });
        const receipt = await client.call('list_samples', {}, { dcc: { async: true } });
        id = String((receipt.structuredContent as Json).job_id);
        await until('the job', async () => ((await status(client)).status === 'completed' ? true : undefined));
      });
      await serving(consumer, args, async client => {
        const job = await status(client);
        assert.equal(job.status, 'completed', JSON.stringify(job));
        assert.match(JSON.stringify(job.result), /4 sample scenes;/);
      });
    },
  },
  ...(['ambient', 'dedicated'] as const).map(mode => ({
    name: `import { createServer } from 'svc', ${mode}, with a tool of the host`,
    async run(consumer: Consumer) {
      const run = consumer.start(['embed.mjs', mode]);
      assert.deepEqual([await run.ended, run.stderr()], [0, '']);
      assert.match(run.stdout(), /\\"doubled\\":42/);
    },
  })),
  {
    name: 'with install scripts blocked: serves skills, stores jobs or says why it cannot',
    async run(scripted) {
      const consumer = await scripted.withoutScripts();
      try {
        await serving(consumer, [], async client => {
          await call(client, 'load_skill', { skill_name: 'diagnostics' });
          await call(client, 'process_status');
        });
        const storing = ['--job-storage-path', 'jobs.sqlite'];
        // From Node 22 on better-sqlite3 brings its binary; before, it has to be built.
        if (Number.parseInt(consumer.runtime.version, 10) >= 22)
          return await serving(consumer, storing, async () => {});
        const run = consumer.start([program, 'serve', '--json', ...storing]);
        assert.equal(await run.ended, 1, run.stderr());
        assert.match(run.stderr(), /SVC_STORAGE_NOT_BUILT/);
      } finally {
        await consumer.close();
      }
    },
  },
  {
    name: "types resolve with this Node's @types/node, libraries checked",
    async run(consumer) {
      const compiler = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
      const options = '--noEmit --strict --module nodenext --target es2022 --skipLibCheck false --types node';
      const run = consumer.start([compiler, ...options.split(' '), 'consumer.ts']);
      assert.equal(await run.ended, 0, run.stdout());
    },
  },
];
