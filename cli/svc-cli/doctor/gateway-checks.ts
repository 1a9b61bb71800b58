/** The gateway: whether it answers, who else has its port, and what became of the one that was launched last. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSvcError } from '../../../kernel/light.ts';
import { daemonFiles } from '../../../schemas/gateway-daemon.ts';
import { authorizationFor, refusedEntry } from '../../authorization.ts';
import type { Running } from '../../running.ts';
import { lives } from '../../state.ts';
import { type Check, failed, ok, quoted, warning } from './check.ts';
import { portHolder } from './port-holder.ts';

const answerMs = 1500;

export type GatewayStatus = 'running' | 'not_running' | 'not_answering' | 'port_taken' | 'not_configured';

export interface GatewayFound {
  status: GatewayStatus;
  checks: Check[];
  /** Its clock, as its answer told it. */
  other?: { says: number; heard: number } | undefined;
}

const elsewhere = 'SVC_GATEWAY_PORT=9766 svc-server serve';

/** `url` is where servers of this environment look for it; `running` what runs for this user. */
export async function gatewayChecks(url: string | undefined, running: readonly Running[]): Promise<GatewayFound> {
  if (url === undefined) {
    return { status: 'not_configured', checks: [ok('gateway', 'SVC_GATEWAY_PORT switches it off here')] };
  }
  const asked = await ask(url);
  const { other } = asked;
  const own = running.find(each => each.kind === 'gateway' && new URL(each.url).origin === url);
  if (asked.state === 'answered' && own) {
    const found = ok('gateway', `${url} (pid ${own.pid}, version ${own.version})`);
    return { status: 'running', checks: [found, ...(await accessCheck(url, [own.registry_dir]))], other };
  }
  if (asked.state === 'answered' && asked.product === 'svc') {
    const found = warning(
      'gateway',
      `${url} is a gateway of another user or registry`,
      `svc-cli instances --gateway ${url}`,
    );
    return { status: 'running', checks: [found, ...(await accessCheck(url, []))], other };
  }
  if (asked.state === 'refused') {
    return { status: 'not_running', checks: [warning('gateway', `none runs at ${url}`, 'svc-server serve')] };
  }
  const holder = await portHolder(Number(new URL(url).port) || 80);
  const who = holder === undefined ? 'A program' : holder;
  if (asked.state === 'answered') {
    const message = `${who} has ${url}, and is no gateway of svc`;
    return { status: 'port_taken', checks: [failed('gateway', message, elsewhere)] };
  }
  const message = `${who} takes connections at ${url} and does not answer (${asked.reason})`;
  return {
    status: 'not_answering',
    checks: [failed('gateway', message, own ? 'svc-server restart gateway' : elsewhere)],
  };
}

/** Whether it lets in whoever runs this; nothing where it does. */
async function accessCheck(url: string, registries: readonly (string | undefined)[]): Promise<Check[]> {
  try {
    const headers = await authorizationFor(url, registries);
    const answer = await fetch(`${url}/v1/readyz`, { headers, signal: AbortSignal.timeout(answerMs) });
    await answer.body?.cancel();
    const refused = refusedEntry({ url, status: answer.status });
    return refused ? [failed('access', refused.message, `SVC_CALL_TOKEN_FILE=<file> svc-cli instances`)] : [];
  } catch (error) {
    if (!isSvcError(error)) return [];
    return [failed('access', error.message, 'env | grep ^SVC_CALL_TOKEN_FILE')];
  }
}

interface Asked {
  state: 'answered' | 'refused' | 'silent';
  product?: unknown;
  reason?: string;
  other?: { says: number; heard: number } | undefined;
}

async function ask(url: string): Promise<Asked> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(answerMs) });
    const says = Date.parse(answer.headers.get('date') ?? '');
    const { product } = (await answer.json().catch(() => ({}))) as { product?: unknown };
    return { state: 'answered', product, other: Number.isNaN(says) ? undefined : { says, heard: Date.now() } };
  } catch (error) {
    const { cause, name } = error as Error & { cause?: NodeJS.ErrnoException };
    if (cause?.code === 'ECONNREFUSED') return { state: 'refused' };
    return { state: 'silent', reason: cause?.code ?? name };
  }
}

/** The one that a server launched last: when it has ended while servers run, its log says why. */
export async function daemonCheck(
  registryDir: string,
  url: string | undefined,
  status: GatewayStatus,
): Promise<Check[]> {
  if (url === undefined) return [];
  const file = join(registryDir, daemonFiles(Number(new URL(url).port) || 80).launched);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  try {
    const { pid, stderr_log } = JSON.parse(text) as { pid: number; stderr_log: string };
    if (lives(pid)) return [ok('daemon', `launched by a server (pid ${pid})`)];
    if (status === 'running') return [];
    const said = (await stat(stderr_log).catch(() => undefined))?.size ?? 0;
    if (said === 0) return [ok('daemon', `the last one (pid ${pid}) has ended`)];
    return [
      warning(
        'daemon',
        `the last one (pid ${pid}) has ended, and its log is in ${stderr_log}`,
        `tail ${quoted(stderr_log)}`,
      ),
    ];
  } catch {
    return [warning('daemon', `${file} cannot be read`, `cat ${quoted(file)}`)];
  }
}
