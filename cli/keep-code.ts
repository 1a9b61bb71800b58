/** Is loaded into a built program by the build (`--import`): when it is told to, keeps the code of the packs that ran. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Packs from './packs.ts';

const packs = resolve(import.meta.dirname, '../dist/chunks/packs.js');
const { codeFile, packFile, scripts, withSum } = (await import(pathToFileURL(packs).href)) as typeof Packs;

process.once('message', () => {
  for (const [name, script] of scripts) {
    writeFileSync(codeFile(name), withSum(script.createCachedData(), readFileSync(packFile(name))));
  }
  process.exit(0);
});
