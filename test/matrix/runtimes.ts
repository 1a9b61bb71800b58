/** Other versions of Node, taken from the registry: the packages that `npm i node` is made of hold binary and headers. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npm, ownRuntime, type Runtime } from './npm.ts';

const run = promisify(execFile);
const windows = process.platform === 'win32';

/** The Node of `wanted` (a major or a version), installed below `folder` unless it is the one that runs this. */
export async function obtainRuntime(wanted: string, folder: string): Promise<Runtime> {
  if (`${ownRuntime.version}.`.startsWith(`${wanted}.`)) return ownRuntime;
  const place = join(folder, `node-${wanted}`);
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), '{"private":true}');
  await npm(ownRuntime, ['install', '--no-audit', '--no-fund', '--prefer-offline', `${name}@${wanted}`], place);
  const headers = join(place, 'node_modules', name);
  const node = join(headers, 'bin', windows ? 'node.exe' : 'node');
  const { stdout } = await run(node, ['--version']);
  return { version: stdout.trim().replace('v', ''), node, headers };
}
