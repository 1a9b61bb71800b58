import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { asidePlugin, putAside, standsFor } from '../../cli/build-aside.ts';
import { packageRoot } from '../../kernel/index.ts';
import { tempDir } from '../helper.ts';

const run = promisify(execFile);

/** Runs `text`, which may import ./stand.mjs, with `aside` aside; what it printed. */
async function printed(aside: string, names: string[], text: string): Promise<string[]> {
  const folder = await tempDir();
  await writeFile(join(folder, 'package.json'), '{ "imports": { "#aside/*": "./aside/*" } }');
  await putAside(join(folder, 'aside'), 'thing.cjs', aside);
  await writeFile(join(folder, 'stand.mjs'), standsFor('thing.cjs', names));
  await writeFile(join(folder, 'main.mjs'), text);
  const { stdout } = await run(process.execPath, [join(folder, 'main.mjs')]);
  return stdout.trim().split('\n');
}

test('what stands aside is read when it is first called or constructed, once', async () => {
  const aside = `console.log('read');
    export class Box { value; constructor(value: number) { this.value = value; } twice() { return 2 * this.value; } }
    export function add(one: number, other: number) { return one + other; }`;
  const main = `import { add, Box } from './stand.mjs';
    console.log('started'); console.log(new Box(4).twice()); console.log(add(1, 2));`;
  expect(await printed(aside, ['Box', 'add'], main)).toEqual(['started', 'read', '8', '3']);
});

test('neither ajv, yaml nor the compilers of Fastify are read by a start: each stands aside in the built package', async () => {
  const outdir = await tempDir();
  const inputs = new Set<string>();
  const { metafile } = await build({
    absWorkingDir: packageRoot,
    entryPoints: ['kernel/app.ts', 'schemas/yaml-document.ts'],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    metafile: true,
    logLevel: 'silent',
    plugins: [asidePlugin(inputs)],
  });
  const heavy = /node_modules\/(?:ajv|ajv-formats|yaml|fast-json-stringify\/index|@fastify\/[\w-]+-compiler)\b/;
  const { outputs } = metafile;
  // What is imported at once: a dynamic import waits until it is reached.
  const atOnce = new Set(Object.keys(outputs).filter(each => outputs[each]?.entryPoint?.endsWith('.ts')));
  for (const file of atOnce) {
    for (const { kind, path } of outputs[file]?.imports ?? []) if (kind === 'import-statement') atOnce.add(path);
  }
  const read = [...atOnce].flatMap(file => Object.keys(outputs[file]?.inputs ?? {}));
  expect(read).toContain('node_modules/fastify/fastify.js');
  expect(read.filter(each => heavy.test(each))).toEqual([]);
  // Their licences ship all the same.
  for (const name of ['ajv', 'yaml', 'fast-json-stringify']) {
    expect([...inputs].some(each => each.startsWith(`node_modules/${name}/`))).toBe(true);
  }
});
