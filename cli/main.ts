/** One run of the command line: which command, how its failure is told, how the process ends. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Config } from '@oclif/core/config';
import { run } from '@oclif/core/run';
import { settings } from '@oclif/core/settings';
import { isBuilt, packageRoot } from '../kernel/light.ts';
import { finish, tellFailure, watchOutput } from './base.ts';
import { assertKnown } from './known-command.ts';

/** Runs `svc-server <argv>` and ends the process. */
export async function main(argv: readonly string[]): Promise<void> {
  watchOutput(argv.includes('--json'));
  try {
    const words = withDefaultCommand(argv);
    const config = await programConfig();
    assertKnown(words, config);
    await run(words, config);
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

/**
 * What oclif knows of the program. Built, its manifest in dist/ names every command, and a command's module is loaded
 * when it runs; from source, and for the manifest itself, the folder of commands is read.
 */
export async function programConfig(folder = isBuilt ? join(packageRoot, 'dist') : join(packageRoot, 'cli')) {
  const pjson = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  settings.enableAutoTranspile = false;
  return Config.load({ root: folder, pjson: pjson as never });
}
