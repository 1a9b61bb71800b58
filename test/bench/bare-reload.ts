/** What a reload costs a script that knows nothing of servers: bundle, start a worker with it, hear its first answer. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

/** The same limits and streams as a skill's worker has. */
const worker = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData).then(({ default: tool }) => parentPort.on('message', args => parentPort.postMessage(tool(args))));
`;

/** Saves `text` as `file`, then bundles `entry`; resolves with what the tool answers and the time that all of it took. */
export async function bareReload(
  { file, entry }: { file: string; entry: string },
  text: string,
): Promise<{ answer: unknown; took: number }> {
  const began = performance.now();
  await writeFile(file, text);
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, write: false, metafile: true, sourcemap: 'inline' },
    ...{ format: 'esm', platform: 'node', target: 'node20', logLevel: 'silent' },
  });
  const bundle = join(entry, '../..', `bare-${Math.round(began * 1000)}.mjs`);
  await writeFile(bundle, outputFiles[0]?.text ?? '');
  const realm = new Worker(worker, {
    eval: true,
    workerData: pathToFileURL(bundle).href,
    ...{ stdout: true, stderr: true, execArgv: ['--enable-source-maps'], argv: [] },
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
  });
  realm.postMessage({});
  const [answer] = (await once(realm, 'message')) as [unknown];
  const took = performance.now() - began;
  await realm.terminate();
  return { answer, took };
}
