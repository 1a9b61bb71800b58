/** Loading and unloading without end leaves nothing behind, and the warm spare is used (EXPERIMENTS D1, D2, D3, D5). */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir, waitFor } from '../../../helper.ts';
import { errorOf, rig, run, skill } from './skill.ts';

const threads = async (): Promise<number> =>
  process.platform === 'linux' ? (await readdir('/proc/self/task')).length : 0;

const dirty = {
  'tools/dirty.ts': `
    setInterval(() => {}, 1000);
    (globalThis as any).cache = Array.from({ length: 20_000 }, (_, n) => ({ n }));
    process.on('exit', () => {});
    process.on('SIGUSR2', () => {});
    export default () => (globalThis as any).cache.length;`,
};

test('D1, D2: hundreds of load and unload cycles of a dirty skill leak no thread, no handle and little memory', async () => {
  const { runtimes } = await rig();
  const spec = await skill(dirty);
  const cycle = async (): Promise<void> => {
    const runtime = await runtimes.start(spec);
    expect(await run(runtime, 'dirty')).toBe(20_000);
    await runtime.close(0);
  };
  for (let n = 0; n < 30; n++) await cycle();
  await waitFor(async () => (await threads()) < 25, 'the first threads to end');
  const before = {
    threads: await threads(),
    handles: process.getActiveResourcesInfo().length,
    rss: process.memoryUsage.rss(),
  };
  for (let n = 0; n < 120; n++) await cycle();
  // One spare may be starting or waiting at either moment.
  await waitFor(async () => (await threads()) <= before.threads + 1, 'the last threads to end');
  await waitFor(() => process.getActiveResourcesInfo().length <= before.handles + 3, 'the last handles to close');
  expect((process.memoryUsage.rss() - before.rss) / 1048576).toBeLessThan(64);
}, 60_000);

test('dispose ends every worker, process, spare and script, and refuses what comes later', async () => {
  const threadsBefore = await threads();
  const { runtimes } = await rig();
  const begun = join(await tempDir(), 'begun');
  const never = `import { appendFileSync } from 'node:fs';
    export default () => {
      appendFileSync(${JSON.stringify(begun)}, '.');
      return new Promise(() => {});
    };`;
  const spec = await skill({ 'tools/never.ts': never, 'scripts/sleep.sh': `printf . >> '${begun}'\nsleep 60` });
  const calls: Promise<Error>[] = [];
  for (const isolation of ['worker', 'process'] as const) {
    const runtime = await runtimes.start({ ...spec, skill: isolation, isolation });
    calls.push(errorOf(run(runtime, 'never')), errorOf(run(runtime, 'sleep')));
  }
  await waitFor(async () => (await readFile(begun, 'utf8').catch(() => '')).length === calls.length, 'all to run');
  await runtimes.dispose();
  for (const error of await Promise.all(calls)) expect(error.message).toContain('unloaded while it ran');
  await waitFor(async () => (await threads()) <= threadsBefore + 1, 'the threads to end');
  expect(process.getActiveResourcesInfo().filter(each => /Worker|MessagePort|ProcessWrap/.test(each))).toEqual([]);
  expect((await errorOf(runtimes.start(spec))).message).toContain('unloaded');
});

test('a failed start leaves nothing behind', async () => {
  const { runtimes } = await rig();
  const good = await runtimes.start(await skill({ 'tools/a.ts': 'export default () => 1;' }));
  const bad = await skill({ 'tools/a.ts': 'setInterval(() => {}, 10); throw new Error("no");' }, { skill: 'bad' });
  for (let n = 0; n < 5; n++) await errorOf(runtimes.start(bad));
  const count = await threads();
  for (let n = 0; n < 10; n++) await errorOf(runtimes.start(bad));
  await waitFor(async () => (await threads()) <= count + 1, 'the threads to end');
  expect(await run(good, 'a')).toBe(1);
});

test('many skills run side by side, and a close during a start or twice is harmless', async () => {
  const { runtimes } = await rig();
  const spec = await skill({ 'tools/a.ts': 'let n = 0; export default () => ++n;' });
  const all = await Promise.all(Array.from({ length: 10 }, (_, n) => runtimes.start({ ...spec, skill: `s${n}` })));
  for (const runtime of all) expect(await run(runtime, 'a')).toBe(1);
  await Promise.all(all.flatMap(runtime => [runtime.close(10), runtime.close(0)]));
  const late = runtimes.start(spec);
  late.catch(() => undefined);
  await runtimes.dispose();
  const outcome = await late.then(
    runtime => errorOf(run(runtime, 'a')),
    error => error,
  );
  expect(outcome.message).toMatch(/unloaded|closing|ended/);
});
