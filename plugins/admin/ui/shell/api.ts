/** Asks the gateway that serves the page, and no other address. */

const meta = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

export const adminPath = meta('svc-admin-path');
/** Whether one has to sign in. */
export const isGuarded = meta('svc-admin-guarded') === 'true';

/** What requests carry: who asks, where the gateway wants to know, and that this page asks for a change. */
const keys = { bearer: '', change: meta('svc-admin-token') };
export const setKeys = (given: Partial<typeof keys>): void => void Object.assign(keys, given);

let refused: (error: Refused) => void = () => undefined;
/** `handler` hears of requests whose token is not taken. */
export const onUnauthorized = (handler: typeof refused): void => {
  refused = handler;
};

/** What the gateway said no to, in its words. */
export class Refused extends Error {
  readonly status: number;
  readonly kind: string;

  constructor(status: number, kind: string, message: string) {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

export const unreachable = (): Refused =>
  new Refused(0, 'unreachable', 'The gateway does not answer. It may have ended, or be starting again.');

export interface Asked {
  method?: string;
  body?: unknown;
  requestId?: string;
  signal?: AbortSignal;
}

/** `path` begins with a slash, or is one of the admin interface. Rejects with `Refused` unless the answer is a good one. */
export async function request(path: string, asked: Asked & { accept?: string } = {}): Promise<Response> {
  const sent = keys.change;
  let answer = await send(path, asked);
  if (answer.status === 403 && asked.method !== undefined && asked.method !== 'GET') {
    // A change between the start of another gateway and its greeting: it was refused for the old token alone.
    if (keys.change === sent) await renew().catch(() => undefined);
    if (keys.change !== sent) answer = await send(path, asked);
  }
  if (answer.ok) return answer;
  const text = await answer.text();
  const error = refusal(answer.status, parse(text), text);
  if (answer.status === 401) refused(error);
  throw error;
}

async function send(path: string, asked: Asked & { accept?: string }): Promise<Response> {
  const { method = 'GET', body, requestId, signal, accept = 'application/json' } = asked;
  const url = path.startsWith('/') ? path : `${adminPath}/api/${path}`;
  const headers: Record<string, string> = { accept };
  if (keys.bearer !== '') headers.authorization = `Bearer ${keys.bearer}`;
  if (method !== 'GET') headers['x-svc-admin-token'] = keys.change;
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (requestId !== undefined) headers['x-request-id'] = requestId;
  try {
    return await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable();
  }
}

export const ask = async <T>(path: string, asked: Asked = {}): Promise<T> =>
  parse(await (await request(path, asked)).text()) as T;

/** After a start of the gateway: takes its token; a page that it serves otherwise by now is loaded anew. */
export async function renew(): Promise<void> {
  const html = await (await request(adminPath || '/', { accept: 'text/html' })).text();
  const told = (name: string): string => new RegExp(`name="${name}" content="([^"]*)"`).exec(html)?.[1] ?? '';
  const script = /<script[^>]* src="([^"]+)"/.exec(html)?.[1] ?? '';
  const same = document.querySelector(`script[src="${CSS.escape(script)}"]`) !== null;
  if (!same || told('svc-admin-guarded') !== String(isGuarded)) return location.reload();
  const { token } = isGuarded ? await ask<{ token?: string }>('whoami') : { token: told('svc-admin-token') };
  setKeys({ change: token ?? '' });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refusal(status: number, value: unknown, text: string): Refused {
  const told = isObject(value) && isObject(value.error) ? value.error : isObject(value) ? value : {};
  const message = typeof told.message === 'string' ? told.message : text.slice(0, 300) || `status ${status}`;
  return new Refused(status, String(told.kind ?? 'error'), message);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
