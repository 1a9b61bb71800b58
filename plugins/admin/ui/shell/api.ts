/** Asks the gateway that serves the page, and no other address. */

const meta = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

export const adminPath = meta('svc-admin-path');
const token = meta('svc-admin-token');

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

export interface Asked {
  method?: string;
  body?: unknown;
  requestId?: string;
  signal?: AbortSignal;
}

/** `path` begins with a slash, or is one of the admin interface. Rejects with `Refused`, or an error of the network. */
export async function ask<T>(path: string, { method = 'GET', body, requestId, signal }: Asked = {}): Promise<T> {
  const url = path.startsWith('/') ? path : `${adminPath}/api/${path}`;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (method !== 'GET') headers['x-svc-admin-token'] = token;
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (requestId !== undefined) headers['x-request-id'] = requestId;
  let answer: Response;
  try {
    answer = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused(0, 'unreachable', 'The gateway does not answer. It may have ended, or be starting again.');
  }
  const text = await answer.text();
  const value = parse(text);
  if (answer.ok) return value as T;
  throw refusal(answer.status, value, text);
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
