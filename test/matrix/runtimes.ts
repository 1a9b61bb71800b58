/** Other versions of Node, taken from the registry: the packages that `npm i node` is made of hold binary and headers. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npm, Offline, ownRuntime, type Runtime } from './npm.ts';

const run = promisify(execFile);
const windows = process.platform === 'win32';

/** The Node of `wanted` (a major or a version), installed below `folder` unless it is the one that runs this. */
export async function obtainRuntime(wanted: string, folder: string): Promise<Runtime> {
  if (`${ownRuntime.version}.`.startsWith(`${wanted}.`)) return ownRuntime;
  const place = join(folder, `node-${wanted}`);
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', `${name}@${wanted}`];
  await npm(ownRuntime, args, place).catch((error: Error) => {
    // Whatever the reason, it says nothing of svc.
    throw new Offline(`this Node cannot be had here: ${error.message}`);
  });
  const headers = join(place, 'node_modules', name);
  const node = join(headers, 'bin', windows ? 'node.exe' : 'node');
  const { stdout } = await run(node, ['--version']);
  return { version: stdout.trim().replace('v', ''), node, headers };
}
