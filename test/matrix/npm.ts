/** npm under another Node: the very npm that runs this, so that `engines` are judged by that Node. */
import { execFile } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { testEnv } from '../environment.ts';

const run = promisify(execFile);

/** A Node to test with. */
export interface Runtime {
  version: string;
  node: string;
  /** Folder with its headers, for packages that compile; nothing for the Node that runs this. */
  headers?: string;
}

export const ownRuntime: Runtime = { version: process.versions.node, node: process.execPath };

/** The registry cannot be reached: nothing can be said, good or bad. */
export class Offline extends Error {}

const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/;

/** Environment of a child: nothing of the developer's own settings, `runtime` first on the path. */
export function environment(runtime: Runtime): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(SVC_|NODE_OPTIONS|NODE_ENV|npm_(package|lifecycle|config_local_prefix))/.test(name),
  );
  const path = [dirname(runtime.node), process.env.PATH].join(delimiter);
  return {
    ...Object.fromEntries(kept),
    ...testEnv,
    PATH: path,
    ...(runtime.headers && { npm_config_nodedir: runtime.headers }),
  };
}

/** Runs npm in `cwd`; resolves with what it printed. */
export async function npm(runtime: Runtime, args: readonly string[], cwd: string) {
  const program = process.env.npm_execpath;
  if (!program) throw new Error('Start this with npm: npm run matrix');
  const options = { cwd, env: environment(runtime), maxBuffer: 64e6 };
  return run(runtime.node, [program, ...args, '--loglevel=warn'], options).catch(
    (error: Error & { stderr?: string }) => {
      const text = error.stderr ?? '';
      if (unreachable.test(text)) throw new Offline('the registry cannot be reached');
      throw new Error(`npm ${args[0]} failed: ${text.trim().split('\n').slice(-6).join(' | ')}`);
    },
  );
}

/** Lines of npm's stderr that are about the packages, not about the user's own settings. */
export const warnings = (stderr: string): string[] =>
  stderr.split('\n').filter(line => /^npm (warn|error)/i.test(line) && !/Unknown (user|env|project) config/.test(line));
