/** The gateway that a command asks: the one that is named, or the one that runs for this user. */
import { packageVersion } from '../../kernel/light.ts';
import { hostInUrl } from '../../schemas/address.ts';
import { authorizationFor, ownAddress, refusedEntry } from '../authorization.ts';
import { refusalIn } from '../call-output.ts';
import { cliErrors } from '../errors.ts';
import { carriedFailure, failureOfStatus } from '../exit-codes.ts';
import type { Fields, McpClient } from '../mcp-client.ts';
import { findRunning } from '../running.ts';
import { type Exchange, exchange, type Request } from './exchange.ts';

export interface Gateway {
  /** `http://127.0.0.1:9765` */
  readonly url: string;
  /** For people: its address, and what is known of it. */
  readonly label: string;
  /** Sends one request and gives the answer as it came, whatever its status; rejects with SVC_CLI_UNREACHABLE. */
  send(method: string, path: string, sent?: Sent): Promise<Response>;
  /** The JSON of an answer; rejects with what the gateway said when it refuses. */
  ask<T>(method: string, path: string, sent?: Sent): Promise<T>;
  /** A client of its MCP endpoint, or of another below its address. */
  connect(path?: string): Promise<McpClient>;
}

export interface Sent {
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** Sees the answer, before its body is read. */
  onAnswer?(answer: Exchange): void;
}

interface Found {
  url: string;
  label: string;
  /** In which it may have left its key. */
  registry?: string | undefined;
}

const answerMs = 1000;

/** Finds it; rejects with SVC_CLI_NO_GATEWAY when none runs. A gateway that is named is not asked here; `tidy` as of `findRunning`. */
export async function findGateway(given?: string, { tidy = true } = {}): Promise<Gateway> {
  if (given !== undefined) {
    const url = await ownAddress(addressOf(given));
    return gatewayAt({ url, label: url });
  }
  const configured = configuredAddress();
  const running = (await findRunning({ tidy })).filter(each => each.kind === 'gateway' && each.health !== null);
  // Of several the one that the environment names.
  const chosen = running.find(each => new URL(each.url).origin === configured) ?? running[0];
  if (chosen) {
    const { url, pid, version, registry_dir: registry } = chosen;
    const { origin } = new URL(url);
    return gatewayAt({ url: origin, label: `${origin} (pid ${pid}, version ${version})`, registry });
  }
  // Another user's, or a service's: it left no record that this user can read.
  if (configured !== undefined && (await answers(configured))) return gatewayAt({ url: configured, label: configured });
  throw cliErrors.NO_GATEWAY();
}

export function addressOf(text: string): string {
  const whole = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(whole)) throw cliErrors.FLAG_INVALID({ flag: '--gateway', reason: `"${text}" is no address` });
  return new URL(whole).origin;
}

/** Where servers of this environment look for their gateway; nothing where it is switched off. */
export function configuredAddress(): string | undefined {
  const { SVC_GATEWAY_HOST: host = '127.0.0.1', SVC_GATEWAY_PORT: port = '9765' } = process.env;
  const url = `http://${hostInUrl(host)}:${port}`;
  return Number(port) > 0 && URL.canParse(url) ? new URL(url).origin : undefined;
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/v1/readyz`, { signal: AbortSignal.timeout(answerMs) }).then(
    answer => answer.body?.cancel().then(() => true) ?? true,
    () => false,
  );

async function gatewayAt({ url, label, registry }: Found): Promise<Gateway> {
  const authorization = await authorizationFor(url, registry === undefined ? [] : [registry]);
  const own = { accept: 'application/json', 'user-agent': `svc-cli/${packageVersion}`, ...authorization };
  /** By `fetch` or `exchange`, which take the same. */
  const sendBy = async <T>(by: (to: URL, request: Request) => Promise<T>, method: string, path: string, sent: Sent) => {
    const { body, headers, signal } = sent;
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      return await by(new URL(path, url), {
        method,
        headers: { ...own, ...json, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      const { cause = error as NodeJS.ErrnoException } = error as Error & { cause?: NodeJS.ErrnoException };
      throw cliErrors.UNREACHABLE({ url, reason: cause.code ?? cause.message }, error);
    }
  };
  return {
    url,
    label,
    async send(method, path, sent = {}) {
      const byFetch = (to: URL, { body, signal, ...more }: Request) =>
        fetch(to, { ...more, ...(body !== undefined && { body }), ...(signal && { signal }) });
      const answer = await sendBy(byFetch, method, path, sent);
      // Nothing that was asked for has been answered.
      if (answer.status === 401) throw refusalOf(jsonOf(await answer.text()), 401, url);
      return answer;
    },
    async ask<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
      const answer = await sendBy(exchange, method, path, sent);
      sent.onAnswer?.(answer);
      const { status, text } = answer;
      const value = jsonOf(text);
      const ok = status >= 200 && status < 300;
      if (ok && value !== undefined) return value as T;
      const asked = new URL(path, url).href;
      if (ok) throw cliErrors.NO_JSON({ url: asked, status });
      throw refusalOf(value, status, asked);
    },
    async connect(path = '/mcp') {
      const { connectMcp } = await import('../mcp-client.ts');
      return connectMcp(new URL(path, url).href, authorization);
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A gateway's refusal stands in `error`, an instance's does not; other servers have neither. */
function refusalOf(value: unknown, status: number, url: string): Error {
  const { error, ...flat } = (value ?? {}) as { error?: Fields };
  const told = (typeof error === 'object' && error) || (flat as Fields);
  const message = typeof told.message === 'string' ? told.message : `${url} answered ${status}`;
  const refused = refusedEntry({ url: new URL(url).origin, status, ...told, message });
  return refused ?? refusalIn(told, status) ?? carriedFailure(failureOfStatus(status, message));
}
