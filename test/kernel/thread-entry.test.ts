import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot, threadEntry } from '../../kernel/index.ts';

async function sourceFile(text: string): Promise<string> {
  const folder = join(packageRoot, 'node_modules', '.cache', 'svc-thread-test', `${process.pid}-${Math.random()}`);
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'entry.ts'), text);
  return relative(packageRoot, join(folder, 'entry.ts'));
}

test('a thread entry in TypeScript runs in a worker', async () => {
  const source = await sourceFile(
    `import { parentPort } from 'node:worker_threads'; const text: string = 'hi'; parentPort?.postMessage(text);`,
  );
  const worker = new Worker(await threadEntry('test-runs', source));
  expect(await once(worker, 'message')).toEqual(['hi']);
  await worker.terminate();
});

test('a thread entry is made once per name, and a broken one is an error', async () => {
  const source = await sourceFile('export {};');
  expect(await threadEntry('test-once', source)).toBe(await threadEntry('test-once', source));
  await expect(threadEntry('test-broken', await sourceFile('const = 1'))).rejects.toThrow();
});
