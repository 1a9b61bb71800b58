/**
 * The whole story: a Blender with a window, started with our add-on and nothing else, an agent at the gateway that its
 * server launches, and then everything that can be killed.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ProgressNotificationSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { freePort } from '../free-port.ts';
import type { Json } from '../spec/wire.ts';
import {
  type Application,
  eventually,
  type Row as FileRow,
  kill,
  missingOf,
  rendersOf,
  type Step,
  type World,
  withWorld,
} from './application.ts';
import { blenderCommand, blenderWindowCommand } from './blender.ts';
import { colours } from './pictures.ts';

interface Row extends FileRow {
  instance_short: string;
  mcp_url: string;
}

interface Answer {
  isError?: boolean;
  content: { type: string; text?: string; data?: string }[];
}

const textOf = ({ content }: Answer): string => content.find(each => each.type === 'text')?.text ?? '';

/** An agent at the gateway: the official client, its four tools, and what it is told without asking. */
async function openAgent(origin: string) {
  const client = new Client({ name: 'agent', version: '1' });
  const progress: Json[] = [];
  const updated: string[] = [];
  client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => void progress.push(params));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin)) as never);
  const ask = async (name: string, args: Json, _meta?: Json): Promise<Answer> =>
    (await client.callTool({ name, arguments: args, ...(_meta && { _meta }) })) as unknown as Answer;
  const call = (slug: string, args: Json = {}, meta?: Json) =>
    ask('call', { tool_slug: slug, arguments: args, response_format: 'json' }, meta);
  const json = async (slug: string, args?: Json, meta?: Json): Promise<Json> => {
    const answer = await call(slug, args, meta);
    assert.ok(!answer.isError, textOf(answer));
    return JSON.parse(textOf(answer)) as Json;
  };
  return {
    ...{ client, progress, updated, ask, call, json },
    /** The slugs that a search finds. */
    async found(query: string): Promise<string[]> {
      const told = JSON.parse(textOf(await ask('search', { query, response_format: 'json' }))) as {
        hits: { tool_slug: string }[];
      };
      return told.hits.map(each => each.tool_slug);
    },
    async read(uri: string): Promise<Json> {
      const [first] = (await client.readResource({ uri })).contents;
      return JSON.parse(String((first as { text?: string } | undefined)?.text)) as Json;
    },
    job: (id: unknown) => json('jobs_get_status', { job_id: id, include_result: true }),
  };
}

type Agent = Awaited<ReturnType<typeof openAgent>>;

interface Scene {
  agent: Agent;
  world: World;
  rows(): Promise<Row[]>;
  /** Slug of a tool of the Blender with the window. */
  slug(tool: string): string;
  first: Row;
  options: Json;
}

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function creates(step: Step, { agent, slug, first }: Scene): Promise<void> {
  const current = `scene://${first.instance_short}/current`;
  await step('an agent searches, describes and creates', async () => {
    assert.equal((await agent.found('create a cube'))[0], slug('create_object'));
    assert.match(textOf(await agent.ask('describe', { tool_slug: slug('create_object') })), /edge or diameter/);
    await agent.json(slug('delete_objects'), { names: ['Cube'] });
    await agent.client.subscribeResource({ uri: current });
    await agent.json(slug('create_object'), { shape: 'cube', name: 'Würfel' });
    await agent.json(slug('create_material'), { name: 'Red', color: [1, 0, 0], emission: 1 });
    await agent.json(slug('assign_material'), { object_name: 'Würfel', material: 'Red' });
    await agent.json(slug('set_camera'), { location: [0, -8, 0], look_at: [0, 0, 0] });
  });
  await step('it is told of the scene, and reads it and what changed', async () => {
    const names = async () => ((await agent.read(current)).objects as { name: string }[] | undefined)?.map(o => o.name);
    await eventually('the scene with its cube', 10, async () => (await names())?.includes('Würfel') ?? false);
    await eventually('the notification', 5, () => agent.updated.includes(current));
    const { revision } = await agent.read(`scene://${first.instance_short}/delta`);
    await agent.json(slug('create_object'), { shape: 'empty', name: 'Marke' });
    await eventually('a delta with the empty', 5, async () => {
      const delta = await agent.read(`scene://${first.instance_short}/delta`);
      return Number(delta.revision) > Number(revision) && JSON.stringify(delta).includes('Marke');
    });
  });
}

async function renders(step: Step, { agent, slug, world }: Scene): Promise<void> {
  const still = { width: 160, height: 120, samples: 8, engine: 'CYCLES' };
  await step('a still is rendered as a job with progress that it sees, and it looks at the picture', async () => {
    const args = { ...still, path: join(world.directory, 'still.png') };
    const receipt = await agent.json(slug('render_still'), args, { progressToken: 'still' });
    let told: Json = {};
    await eventually('the end of the render', 60, async () => {
      told = await agent.job(receipt.job_id);
      return !['pending', 'running'].includes(String(told.status));
    });
    assert.equal(told.status, 'completed', JSON.stringify(told).slice(0, 500));
    const seen = agent.progress.filter(each => each.progressToken === 'still');
    assert.ok(seen.length > 0 && seen.every((each, at) => at === 0 || each.progress !== seen[at - 1]?.progress));
    const { content } = told.result as Answer;
    const shown = colours(Buffer.from(String(content.find(each => each.type === 'image')?.data), 'base64'));
    assert.deepEqual([shown.width, shown.height], [160, 120]);
    const [red = 0, green = 0, blue = 0] = shown.middle;
    assert.ok(red > 0.5 && red > green + 0.3 && red > blue + 0.3, `the middle is ${shown.middle}`);
  });
  await step('another is cancelled, and leaves no process', async () => {
    const receipt = await agent.json(slug('render_still'), { width: 4096, height: 4096, samples: 4096 });
    await eventually('the render', 20, async () => (await rendersOf(world.directory)).length > 0);
    await agent.json('jobs_cancel', { job_id: receipt.job_id });
    await eventually(
      'the end of the render',
      10,
      async () =>
        (await agent.job(receipt.job_id)).status === 'cancelled' && !(await rendersOf(world.directory)).length,
    );
  });
}

/** A call that holds the main thread of Blender for some seconds, begun: that exporter is written in Python. */
async function openCall({ agent, slug, world, rows, first }: Scene): Promise<{ told: Promise<string> }> {
  if ((await agent.call(slug('get_object'), { name: 'Big' })).isError) {
    await agent.json(slug('create_object'), { shape: 'monkey', name: 'Big' });
    await agent.json(slug('add_modifier'), { name: 'Big', kind: 'SUBSURF', settings: { levels: 5 } });
  }
  const { mcp_url } = (await rows()).find(each => each.instance_id === first.instance_id) ?? first;
  const told = agent.call(slug('export_file'), { path: join(world.directory, 'big.fbx') }).then(
    answer => `${answer.isError ? 'failed' : 'answered'}: ${textOf(answer)}`,
    (error: Error) => `failed: ${error.message}`,
  );
  await eventually('the export', 20, async () => {
    const health = await (await fetch(new URL('/health', mcp_url))).json();
    return (health as { host: { tool: string | null } }).host.tool === 'export_file';
  });
  return { told };
}

const timed = async (what: string, from: number, work: Promise<unknown>): Promise<void> => {
  await work;
  console.log(`  ${what}: ${Math.round(performance.now() - from)} ms`);
};

async function companionKilled(step: Step, scene: Scene): Promise<void> {
  const { agent, slug, rows, first } = scene;
  await step(
    'its server is killed with -9: the caller is told, and it is back as the same, with its scene',
    async () => {
      const { told } = await openCall(scene);
      const began = performance.now();
      kill(first.pid);
      await timed('caller told', began, told);
      assert.match(await told, /has gone \(exited\) before it answered/);
      const back = async () =>
        (await rows()).some(each => each.instance_id === first.instance_id && each.pid !== first.pid);
      await timed('back', began, eventually('the same instance as another process', 15, back));
      await eventually('a call', 15, async () => !(await agent.call(slug('scene_info'))).isError);
      const { objects } = await agent.read(`scene://${first.instance_short}/current`);
      assert.ok((objects as { name: string }[]).some(each => each.name === 'Würfel'));
    },
  );
}

async function blenderKilled(step: Step, scene: Scene): Promise<void> {
  const { agent, slug, world, rows, first } = scene;
  let second: Row | undefined;
  await step(
    'a second Blender is opened: its row appears with an id of its own, and only it gets what is for it',
    async () => {
      world.start(blenderCommand(world.directory), scene.options);
      await eventually('the second row', 30, async () => (await rows()).length === 2);
      second = (await rows()).find(each => each.instance_id !== first.instance_id);
      const other = `blender.${second?.instance_short}`;
      await eventually('its tools', 10, async () =>
        (await agent.found('create object')).includes(`${other}.create_object`),
      );
      await eventually('the news of it', 10, () => agent.updated.includes('gateway://instances'));
      await agent.json(`${other}.create_object`, { shape: 'sphere', name: 'Nur hier' });
      assert.equal((await agent.call(`${other}.get_object`, { name: 'Nur hier' })).isError ?? false, false);
      assert.equal((await agent.call(slug('get_object'), { name: 'Nur hier' })).isError, true);
    },
  );
  await step(
    'the first is killed with -9: who waits is told, its row, its server and its render go, the second stays',
    async () => {
      const { job_id } = await agent.json(slug('render_still'), { width: 4096, height: 4096, samples: 4096 });
      await eventually('the render', 20, async () => (await rendersOf(world.directory)).length > 0);
      const { told } = await openCall(scene);
      const { pid } = (await rows()).find(each => each.instance_id === first.instance_id) ?? first;
      agent.updated.length = 0;
      const began = performance.now();
      kill(first.host_pid);
      await timed('caller told', began, told);
      assert.match(await told, /^failed: .*(The host is gone|has gone \(exited\) before it answered)/);
      const left = async () => (await rows()).map(each => each.instance_id).join() === second?.instance_id;
      await timed('row gone', began, eventually('the end of the row', 10, left));
      await eventually('the end of its server', 5, () => !lives(pid));
      await eventually('the end of its render', 5, async () => (await rendersOf(world.directory)).length === 0);
      await eventually('the news of it', 10, () => agent.updated.includes('gateway://instances'));
      assert.deepEqual(
        (await agent.found('create object')).filter(each => each.includes(first.instance_short)),
        [],
      );
      assert.match(textOf(await agent.call(slug('scene_info'))), /instance/);
      assert.match(JSON.stringify(await agent.job(job_id).catch(String)), /interrupted|no longer|not found|offline/);
      assert.ok((await agent.json(`blender.${second?.instance_short}.scene_info`)).scene);
    },
  );
}

export const blenderStory: Application = {
  name: 'blender through a gateway',
  missing: () => missingOf(['blender', 'xvfb-run', 'ps']),
  run: step =>
    withWorld(
      'blender',
      directory => blenderCommand(directory).addons,
      async world => {
        const port = await freePort();
        const origin = `http://127.0.0.1:${port}`;
        const options = { gateway_port: port, gateway_guardian_interval: 0.5 };
        const rows = async (): Promise<Row[]> =>
          ((await (await fetch(new URL('/v1/instances', origin))).json()) as { instances: Row[] }).instances;
        const began = performance.now();
        world.start(blenderWindowCommand(world.directory), options);
        await timed(
          'at the gateway',
          began,
          eventually('the row of Blender', 60, async () => (await rows().catch(() => [])).length === 1),
        );
        const [first] = await rows();
        assert.ok(first);
        const agent = await openAgent(origin);
        const slug = (tool: string) => `blender.${first.instance_short}.${tool}`;
        const scene: Scene = { agent, world, rows, slug, first, options };
        try {
          await agent.client.subscribeResource({ uri: 'gateway://instances' });
          await eventually('its tools', 20, async () =>
            (await agent.found('create object')).includes(slug('create_object')),
          );
          await creates(step, scene);
          await renders(step, scene);
          await companionKilled(step, scene);
          await blenderKilled(step, scene);
        } finally {
          await agent.client.close();
        }
      },
    ),
};
