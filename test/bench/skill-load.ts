/** Load times (cold worker, warm spare, cached bundle) and what load/unload cycles of a dirty skill leave in memory. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { createScope } from '../../kernel/index.ts';
import { createSkillRuntimes } from '../../plugins/skills/runtimes.ts';

const cycles = Number(process.argv[2] ?? 2000);
const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const path = join(folder, 'tools', 'dirty.ts');
await mkdir(join(folder, 'tools'));
const source = `import { n } from '../n.ts';
setInterval(() => {}, 1000);
(globalThis as any).cache = Array.from({ length: 2000 }, (_, n) => ({ n }));
process.on('exit', () => {});
export default () => n;`;
await writeFile(path, source);
const deps = {
  heapMb: 64,
  log: pino({ level: 'silent' }),
  services: { callTool: async () => ({}), emitEvent: () => undefined },
  env: process.env,
  scope: createScope('bench'),
};
const spec = {
  skill: 'bench',
  directory: folder,
  config: {},
  dcc: 'python',
  isolation: 'worker' as const,
  tools: [{ name: 'dirty', path, kind: 'module' as const }],
};
const quantile = (values: number[], share: number): string =>
  (values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0).toFixed(1);
const row = (what: string, times: number[]) => ({
  what,
  'p50 ms': quantile(times, 0.5),
  'p95 ms': quantile(times, 0.95),
});
const edit = (n: number): Promise<void> => writeFile(join(folder, 'n.ts'), `export const n: number = ${n};`);

await edit(0);
const cold: number[] = [];
for (let n = 0; n < 20; n++) {
  // A runtime of its own has no spare yet; the compiler is started outside of the measure.
  const runtimes = createSkillRuntimes({ ...deps, cacheDir: join(folder, 'cache') });
  const warmUp = await runtimes.start({ ...spec, tools: [] });
  await edit(n + 1000);
  const startedAt = performance.now();
  await runtimes.start(spec);
  if (n > 0) cold.push(performance.now() - startedAt);
  await warmUp.close(0);
  await runtimes.dispose();
}
const runtimes = createSkillRuntimes({ ...deps, cacheDir: join(folder, 'cache') });
const load = async (): Promise<number> => {
  const startedAt = performance.now();
  const runtime = await runtimes.start(spec);
  const ms = performance.now() - startedAt;
  await runtime.close(0);
  return ms;
};
await load();
const warm: number[] = [];
const cached: number[] = [];
for (let n = 0; n < 40; n++) {
  await sleep(150);
  await edit(n + 2000);
  warm.push(await load());
  await sleep(150);
  cached.push(await load());
}
console.table([
  row('cold worker, compiler start included', cold),
  row('warm spare, built', warm),
  row('warm spare, cached', cached),
]);

const rss: number[] = [];
const times: number[] = [];
for (let n = 0; n < cycles; n++) {
  times.push(await load());
  if (n % Math.ceil(cycles / 10) === 0) rss.push(Math.round(process.memoryUsage.rss() / 1048576));
}
rss.push(Math.round(process.memoryUsage.rss() / 1048576));
console.log(
  `${cycles} cycles: RSS MB ${rss.join(' ')}; load p50 first 20 ${quantile(times.slice(0, 20), 0.5)} ms, last 20 ${quantile(times.slice(-20), 0.5)} ms`,
);
await runtimes.dispose();
await rm(folder, { recursive: true });
