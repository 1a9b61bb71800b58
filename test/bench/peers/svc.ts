/** Our server from its build, with commands for what a benchmark does inside its process. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance } from 'fastify';
import type {} from '../../../plugins/mcp/api.ts';
import type {} from '../../../plugins/resources/schemes/scene/api.ts';
import { serveCommands, settings } from './command.ts';
import { echoSchema } from './echo.ts';

interface Server {
  start(): Promise<{ mcpUrl(): string; shutdown(): Promise<void> }>;
  registerTool(
    definition: Record<string, unknown>,
    handler: (args: Record<string, unknown>, call: Call) => unknown,
  ): unknown;
  loadSkill(name: string): Promise<string[]>;
  unloadSkill(name: string): Promise<boolean>;
  resources(): { updated(uri: string): Promise<void>; setScene(scene: unknown): Promise<void> };
}

interface Call {
  progress(current: number, total: number): void;
}

const { createServer, definePlugin } = (await import(pathToFileURL(String(settings.entry)).href)) as {
  createServer(options: Record<string, unknown>, extra: Record<string, unknown>): Server;
  definePlugin(meta: { name: string }, setup: (app: FastifyInstance) => void): unknown;
};

/** The application itself, which an ambient server shows to plugins. */
let app: FastifyInstance | undefined;
const ambient = (settings.options as { spawn_mode?: string } | undefined)?.spawn_mode !== 'dedicated';
const inside = definePlugin({ name: 'bench-inside' }, given => {
  app = given;
});

const server = createServer(
  {
    spawn_mode: 'ambient',
    gateway_port: 0,
    bundled_skills: false,
    watch_skills: false,
    log_level: 'warn',
    max_sessions: 1000,
    ...(settings.options as object),
  },
  ambient ? { add: [inside] } : {},
);
server.registerTool(
  { name: 'job_work', description: 'Works as a background job.', execution: 'async' },
  async ({ ms = 0, reports = 3 }, call) => {
    for (let step = 1; step <= Number(reports); step += 1) call.progress(step, Number(reports));
    if (Number(ms) > 0) await sleep(Number(ms));
    return { done: true };
  },
);
server.registerTool({ name: 'echo', description: 'Echoes.', input_schema: echoSchema }, args => args);
for (let index = 1; index < Number(settings.tools ?? 1); index += 1) {
  const description = `Tool number ${index} of a long list, described in about as many words as a real one has.`;
  server.registerTool({ name: `tool_${index}`, description, input_schema: echoSchema }, args => args);
}
const service = await server.start();

let elu = performance.eventLoopUtilization();
const delay = monitorEventLoopDelay({ resolution: 10 });
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
let longest = 0;
let watching = false;
const epoch = (): number => performance.timeOrigin + performance.now();

/** Keeps the loop turning and remembers its longest turn. */
function watchLoop(last = performance.now()): void {
  const time = performance.now();
  longest = Math.max(longest, time - last);
  if (watching) setImmediate(watchLoop, time);
}

/** Broadcasts `count` messages of `bytes`, one every few ms; resolves with the growth of the resident memory. */
async function notify({ count, bytes, everyMs }: { count: number; bytes: number; everyMs: number }): Promise<number> {
  collect();
  const before = process.memoryUsage().rss;
  let highest = before;
  for (let n = 0; n < count; n += 1) {
    app?.mcp.broadcast('notifications/bench', { n, filler: 'x'.repeat(bytes) });
    await sleep(everyMs);
    highest = Math.max(highest, process.memoryUsage().rss);
  }
  return highest - before;
}

/** Milliseconds until a new snapshot was taken, until its delta was there, and the longest the loop stood in between. */
async function scene(snapshot: unknown): Promise<{ taken: number; total: number; block: number }> {
  const before = app?.schemeScene.revision;
  const began = performance.now();
  // What it does at once, to make the text, is the host's: it happens on the host's thread.
  const set = server.resources().setScene(snapshot);
  longest = 0;
  watching = true;
  watchLoop();
  await set;
  const taken = performance.now() - began;
  while (app?.schemeScene.revision === before) await new Promise(resolve => setImmediate(resolve));
  watching = false;
  return { taken, total: performance.now() - began, block: longest };
}

/** Makes 128 MiB of garbage in pieces that the young generation takes. */
function churn(): void {
  let kept: number[] = [];
  for (let turn = 0; turn < 2048; turn += 1) kept = new Array(8000).fill(kept.length + turn);
  if (kept.length === 0) throw new Error('not reached: keeps the loop from being left out');
}

const sleep = (time: number): Promise<void> => new Promise(resolve => setTimeout(resolve, time));

/** Milliseconds that `work` took. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

serveCommands(service.mcpUrl(), {
  load: (skill: string) => timed(() => server.loadSkill(skill)),
  unload: (skill: string) => timed(() => server.unloadSkill(skill)),
  /** Loads and unloads `count` times; returns the milliseconds of each load. */
  cycle: async ({ skill, count }: { skill: string; count: number }) => {
    const loads: number[] = [];
    for (let index = 0; index < count; index += 1) {
      loads.push(await timed(() => server.loadSkill(skill)));
      await server.unloadSkill(skill);
    }
    return loads;
  },
  sleep,
  /**
   * Resident memory of a server that works: what is garbage is collected, and the young generation, which belongs to no
   * session and is as large as it gets (some 15 to 30 MiB) whenever anything happens, is touched at every reading alike.
   */
  rss: async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      collect();
      await sleep(200);
    }
    churn();
    return process.memoryUsage().rss;
  },
  /** Live objects. */
  heap: () => {
    collect();
    return process.memoryUsage().heapUsed;
  },
  /** Resident memory as it stands. */
  resident: () => process.memoryUsage().rss,
  /** Tells of a changed resource; answers with when, in ms since the epoch. */
  update: async (uri: string) => {
    const began = epoch();
    await server.resources().updated(uri);
    return began;
  },
  scene,
  notify,
  'block-start': () => {
    longest = 0;
    watching = true;
    setImmediate(watchLoop);
  },
  'block-read': () => {
    watching = false;
    return longest;
  },
  'elu-start': () => {
    elu = performance.eventLoopUtilization();
    delay.reset();
    delay.enable();
  },
  'elu-read': () => performance.eventLoopUtilization(elu).utilization,
  /** Blocks this thread, as a host does that renders. Answers first, so that the benchmark knows when it began. */
  block: (time: number) => {
    setTimeout(() => {
      const end = performance.now() + time;
      while (performance.now() < end);
    }, 20);
  },
});
process.on('SIGTERM', () => void service.shutdown().finally(() => process.exit()));
