/** One run of a program: which command, how its failure is told, how the process ends. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Config } from '@oclif/core/config';
import { run } from '@oclif/core/run';
import { settings } from '@oclif/core/settings';
import { isBuilt, packageRoot } from '../kernel/light.ts';
import { finish, tellFailure, watchOutput } from './base.ts';
import { assertKnown } from './known-command.ts';
import type { Program } from './programs.ts';

/** Runs `<program> <argv>` and ends the process. */
export async function main(program: Program, argv: readonly string[]): Promise<void> {
  const words = program.words(argv);
  const json = program.tellsJson(words);
  watchOutput(json);
  try {
    const config = await programConfig(program);
    assertKnown(words, config);
    await run(words, config);
    await finish(0);
  } catch (error) {
    await finish(tellFailure(error, json));
  }
}

/**
 * What oclif knows of the program. Built, its manifest in dist/ names every command, and a command's module is loaded
 * when it runs; from source, and for the manifest itself, the folder of commands is read.
 */
export async function programConfig(
  { bin, folder, description, topics }: Program,
  base = isBuilt ? join(packageRoot, 'dist') : join(packageRoot, 'cli'),
) {
  const pjson = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  const told = { ...pjson, description, oclif: { ...pjson.oclif, bin, topics } };
  settings.enableAutoTranspile = false;
  return Config.load({ root: join(base, folder), pjson: told as never });
}
