/** What `svc-cli doctor` looks at. Nothing here writes, starts or ends anything. */
import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { registryDirectory, rowsFolder } from '../../plugins/instances/registry/api.ts';
import { conditionOf, remarksOn } from '../condition.ts';
import { findRunning, type Running } from '../running.ts';
import { runFolder } from '../state.ts';
import { configuredAddress } from './gateway.ts';

export interface Check {
  check: string;
  level: 'ok' | 'warning' | 'error';
  message: string;
  /** What to run next. */
  next?: string;
}

const answerMs = 1500;
const ok = (check: string, message: string): Check => ({ check, level: 'ok', message });
const warning = (check: string, message: string, next?: string): Check => ({
  ...{ check, level: 'warning', message },
  ...(next !== undefined && { next }),
});
const failed = (check: string, message: string, next: string): Check => ({ check, level: 'error', message, next });

/** The same checks everywhere, in the order in which things depend on each other. */
export async function runChecks(): Promise<{ checks: Check[]; running: Running[]; registry_dir: string }> {
  const registry_dir = registryDirectory(process.env.SVC_REGISTRY_DIR || null);
  const running = await findRunning({ tidy: false });
  const checks = await Promise.all([
    node(),
    directory('registry', registry_dir),
    directory('state', runFolder()),
    port(running),
    clock(),
    rows(registry_dir),
    records(),
    ...running.map(program),
  ]);
  return { checks: checks.flat(), running, registry_dir };
}

function node(): Check {
  const [major = 0] = process.versions.node.split('.').map(Number);
  const told = `Node.js ${process.versions.node}`;
  if (major < 20) return failed('node', `${told} is too old: 20.20, 22.14 or 24 is needed`, 'node --version');
  return major === 20 ? warning('node', `${told} works, and is past its end of life`) : ok('node', told);
}

/** Others of this machine may not write where calls are led from. */
async function directory(check: string, path: string): Promise<Check> {
  try {
    const { mode, uid } = await stat(path);
    await access(path, constants.R_OK | constants.W_OK);
    const own = process.getuid?.();
    if (own !== undefined && uid !== own && own !== 0) {
      return failed(check, `${path} belongs to another user`, `ls -ld '${path}'`);
    }
    if (process.platform !== 'win32' && (mode & 0o022) !== 0) {
      return failed(check, `${path} can be written by others`, `chmod 700 '${path}'`);
    }
    return ok(check, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return ok(check, `${path} is not there yet: the first server makes it`);
    return failed(check, `${path} cannot be used (${code})`, `ls -ld '${path}'`);
  }
}

/** Who has the port of the gateway. */
async function port(running: readonly Running[]): Promise<Check> {
  const url = configuredAddress();
  if (url === undefined) return warning('gateway', 'SVC_GATEWAY_PORT switches the gateway off here');
  const own = running.find(each => each.kind === 'gateway' && new URL(each.url).origin === url);
  if (own) return ok('gateway', `${url} (pid ${own.pid})`);
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(answerMs) });
    const { product } = (await answer.json().catch(() => ({}))) as { product?: unknown };
    const whose = product === 'svc' ? 'a gateway of another user or registry' : 'a program that is no gateway of svc';
    return failed('gateway', `${whose} has ${url}`, 'SVC_GATEWAY_PORT=9766 svc-server serve');
  } catch (error) {
    const { cause, name } = error as Error & { cause?: NodeJS.ErrnoException };
    if (cause?.code === 'ECONNREFUSED') return warning('gateway', `none runs at ${url}`, 'svc-server serve');
    return failed(
      'gateway',
      `${url} takes connections and does not answer (${cause?.code ?? name})`,
      'svc-server logs gateway',
    );
  }
}

/** Leases, heartbeats and tokens go by the clock. */
function clock(): Check {
  const told = new Date().toISOString();
  return Date.now() < Date.UTC(2025, 0) ? failed('clock', `It says ${told}`, 'date') : ok('clock', told);
}

/** Rows of the registry whose process has gone, or that nobody can read. */
async function rows(registry_dir: string): Promise<Check> {
  const folder = rowsFolder(registry_dir);
  const names = (await readdir(folder).catch(() => [])).filter(each => each.endsWith('.json'));
  const states = await Promise.all(names.map(each => stateOf(join(folder, each))));
  const damaged = states.filter(each => each === 'damaged').length;
  const dead = states.filter(each => each === 'dead').length;
  if (damaged > 0)
    return failed('instances', `${damaged} of ${names.length} rows in ${folder} cannot be read`, `ls -l '${folder}'`);
  if (dead > 0)
    return warning(
      'instances',
      `${dead} of ${names.length} rows are of processes that have ended`,
      'svc-server status',
    );
  return ok('instances', `${names.length} registered on this machine`);
}

/** Records of programs that were killed. */
async function records(): Promise<Check> {
  const names = (await readdir(runFolder()).catch(() => [])).filter(each => each.endsWith('.json'));
  const states = await Promise.all(names.map(each => stateOf(join(runFolder(), each))));
  const dead = states.filter(each => each !== 'alive').length;
  if (dead > 0)
    return warning('records', `${dead} of ${names.length} programs ended without saying so`, 'svc-server status');
  return ok('records', `${names.length} programs of this user`);
}

async function stateOf(file: string): Promise<'alive' | 'dead' | 'damaged'> {
  try {
    const { pid } = JSON.parse(await readFile(file, 'utf8')) as { pid: number | null };
    if (pid === null) return 'alive';
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPERM' || code === 'ENOENT') return 'alive';
    return code === 'ESRCH' ? 'dead' : 'damaged';
  }
}

/** What a program says of itself: its job store, its skills, its gateway. */
function program(running: Running): Check[] {
  const check = `${running.kind} ${running.name}`;
  const condition = conditionOf(running);
  const next = `svc-server logs ${running.kind === 'gateway' ? 'gateway' : running.name}`;
  const own =
    condition === 'ok' ? ok(check, `${running.url}: ok`) : failed(check, `${running.url}: ${condition}`, next);
  return [own, ...remarksOn(running).map(each => warning(check, each))];
}
