/** One run of the command line: which command, how its failure is told, how the process ends. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, settings } from '@oclif/core';
import { isBuilt, packageRoot } from '../kernel/index.ts';
import { finish, tellFailure } from './base.ts';

/** Runs `svc-server <argv>` and ends the process. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await run(withDefaultCommand(argv), { root: packageRoot, pjson: await manifest() });
    await finish(0);
  } catch (error) {
    await finish(tellFailure(error, argv.includes('--json')));
  }
}

/** `svc-server` and `svc-server --port 0` mean `serve`; `--help` and `--version` alone stay what they are. */
export function withDefaultCommand(argv: readonly string[]): string[] {
  const [first] = argv;
  if (first !== undefined && (!first.startsWith('-') || ['--help', '-h', '--version', '-V'].includes(first))) {
    return [...argv];
  }
  return ['serve', ...argv];
}

/** package.json for oclif; from source its commands are the TypeScript file instead of the bundle. */
async function manifest(): Promise<never> {
  const pjson = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  settings.enableAutoTranspile = false;
  if (!isBuilt) pjson.oclif.commands.target = './cli/commands.ts';
  return pjson as never;
}
