/** The command that starts the daemon of this very installation. What it is set to stands in a file, not here. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Environment, isBuilt, packageRoot } from '../../../kernel/index.ts';
import { type DaemonCommand, daemonFiles } from '../../../schemas/gateway-daemon.ts';
import type { GatewayAddress } from './probe.ts';

export function daemonCommand({ host, port }: GatewayAddress, directory: string): DaemonCommand {
  const program = isBuilt
    ? [join(packageRoot, 'dist', 'svc-server.js')]
    : ['--import', typescriptLoader(), join(packageRoot, 'cli', 'svc-server.ts')];
  const args = [
    ...program,
    'gateway',
    ...['--host', host, '--port', String(port), '--registry-dir', directory],
    ...['--config', join(directory, daemonFiles(port).settings), '--launched'],
  ];
  return { executable: process.execPath, args };
}

/** The launcher's own, without the settings: those that the daemon takes are in its file already, in their order of rank. */
export const daemonEnvironment = (env: Environment, settings: readonly string[]): Record<string, string> => {
  const left = new Set(settings);
  return Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined && !left.has(pair[0])),
  );
};

/** From source, the daemon needs the loader that this process may have got in another way. */
const typescriptLoader = (): string =>
  pathToFileURL(createRequire(join(packageRoot, 'package.json')).resolve('tsx')).href;
