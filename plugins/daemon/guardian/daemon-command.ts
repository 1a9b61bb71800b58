/** The command that starts the daemon of this very installation, with the settings of the server that launches it. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Environment, environmentName, isBuilt, packageRoot } from '../../../kernel/index.ts';
import type { Settings } from './config.ts';

export interface DaemonCommand {
  executable: string;
  args: string[];
  env: Record<string, string>;
}

/** Options that speak of one server: the daemon must not read them from the launcher's environment. */
const ownToServer: readonly string[] = [
  'port',
  'host',
  'endpoint_path',
  'server_name',
  'server_version',
  'dcc_type',
  'dcc_version',
  'scene',
  'spawn_mode',
  'skill_paths',
  'skill_config',
  'job_storage_path',
  'log_file',
  'plugins',
];

export function daemonCommand(config: Settings, directory: string, env: Environment): DaemonCommand {
  const program = isBuilt
    ? [join(packageRoot, 'dist', 'svc-server.js')]
    : ['--import', typescriptLoader(), join(packageRoot, 'cli', 'svc-server.ts')];
  const args = [
    ...program,
    'gateway',
    ...['--host', config.gateway_host, '--port', String(config.gateway_port)],
    ...['--registry-dir', directory, '--stale-timeout-secs', String(config.stale_timeout_secs)],
    ...['--admin-path', config.admin_path, ...(config.admin_enabled ? [] : ['--no-admin'])],
    ...['--gateway-idle-timeout-secs', String(config.gateway_idle_timeout_secs)],
    ...(config.gateway_persist ? ['--gateway-persist'] : []),
    ...(config.gateway_name === null ? [] : ['--name', config.gateway_name]),
  ];
  return { executable: process.execPath, args, env: daemonEnvironment(env, directory) };
}

function daemonEnvironment(env: Environment, directory: string): Record<string, string> {
  const left = new Set(ownToServer.map(environmentName));
  const kept = Object.entries(env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !left.has(pair[0]),
  );
  return { ...Object.fromEntries(kept), [environmentName('registry_dir')]: directory };
}

/** From source, the daemon needs the loader that this process may have got in another way. */
const typescriptLoader = (): string =>
  pathToFileURL(createRequire(join(packageRoot, 'package.json')).resolve('tsx')).href;
