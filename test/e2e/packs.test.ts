/** The packs of the built program: whatever stands where their compiled code was kept, the same modules load. */
import { execFile } from 'node:child_process';
import { copyFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { tempDir } from '../helper.ts';

const run = promisify(execFile);
const chunks = join(packageRoot, 'dist', 'chunks');

/** Loads the pack `a` of `folder` in a process of its own, keeps its code if it shall, and tells what it found. */
async function load(folder: string, keep = false): Promise<{ said: string; rejected?: boolean }> {
  const text = `
    import { readFileSync, writeFileSync } from 'node:fs';
    const { pack, packFile, codeFile, scripts, withSum } = await import(${JSON.stringify(pathToFileURL(join(folder, 'packs.js')).href)});
    const said = pack('a').own.say();
    const script = scripts.get('a');
    if (${keep}) writeFileSync(codeFile('a'), withSum(script.createCachedData(), readFileSync(packFile('a'))));
    console.log(JSON.stringify({ said, rejected: script.cachedDataRejected }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', text]);
  return JSON.parse(stdout);
}

const packText = (said: string): string =>
  `(function(module){module.exports={own:{say:()=>${JSON.stringify(said)}.repeat(2)}}})`;

test('a pack runs with its code, without it, and with one that is damaged or of another text', async () => {
  const folder = await tempDir();
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await copyFile(join(chunks, 'packs.js'), join(folder, 'packs.js'));
  const [file, code] = [join(folder, 'pack-a.cjs'), join(folder, 'pack-a.cjs.code')];
  await writeFile(file, packText('one'));
  expect(await load(folder, true)).toEqual({ said: 'oneone' });
  expect(await load(folder)).toEqual({ said: 'oneone', rejected: false });

  const kept = await readFile(code);
  for (const at of [0, kept.length >> 1, kept.length - 1]) {
    const damaged = Buffer.from(kept);
    damaged.writeUInt8((damaged[at] ?? 0) ^ 0xff, at);
    await writeFile(code, damaged);
    expect(await load(folder), `the byte ${at} is another`).toEqual({ said: 'oneone' });
  }
  for (const length of [0, 3, kept.length >> 1]) {
    await writeFile(code, kept);
    await truncate(code, length);
    expect(await load(folder), `${length} bytes of it`).toEqual({ said: 'oneone' });
  }
  await writeFile(code, kept);
  // Of the same length: V8 would take it for the text that it compiled.
  await writeFile(file, packText('two'));
  expect(await load(folder)).toEqual({ said: 'twotwo' });
  await rm(code);
  expect(await load(folder)).toEqual({ said: 'twotwo' });
});

test('the build kept the code of every pack, and a start uses it', async () => {
  const text = `
    const { pack, scripts } = await import(${JSON.stringify(pathToFileURL(join(chunks, 'packs.js')).href)});
    pack('server');
    console.log(JSON.stringify([...scripts].map(([name, { cachedDataRejected }]) => [name, cachedDataRejected])));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', text]);
  expect(Object.fromEntries(JSON.parse(stdout))).toEqual({
    ...{ threads: false, programs: false, commands: false, server: false },
  });
});
