/** Our server from its build, with commands for what a benchmark does inside its process. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { serveCommands, settings } from './command.ts';
import { echoSchema } from './echo.ts';

interface Server {
  start(): Promise<{ mcpUrl(): string; shutdown(): Promise<void> }>;
  registerTool(definition: Record<string, unknown>, handler: (args: Record<string, unknown>) => unknown): unknown;
  loadSkill(name: string): Promise<string[]>;
  unloadSkill(name: string): Promise<boolean>;
}

const { createServer } = (await import(pathToFileURL(String(settings.entry)).href)) as {
  createServer(options: Record<string, unknown>): Server;
};

const server = createServer({
  spawn_mode: 'ambient',
  gateway_port: 0,
  bundled_skills: false,
  watch_skills: false,
  log_level: 'warn',
  max_sessions: 1000,
  ...(settings.options as object),
});
server.registerTool({ name: 'echo', description: 'Echoes.', input_schema: echoSchema }, args => args);
for (let index = 1; index < Number(settings.tools ?? 1); index += 1) {
  const description = `Tool number ${index} of a long list, described in about as many words as a real one has.`;
  server.registerTool({ name: `tool_${index}`, description, input_schema: echoSchema }, args => args);
}
const service = await server.start();

let elu = performance.eventLoopUtilization();
const delay = monitorEventLoopDelay({ resolution: 10 });
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
  rss: () => {
    (globalThis as { gc?: () => void }).gc?.();
    return process.memoryUsage().rss;
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
