/** One webhook: which events it takes, what it makes of them, and where that goes. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { EventEnvelope, EventRecord } from '../../kernel/index.ts';
import { redacted } from '../../schemas/redaction.ts';
import { isLike, isOtherGlob } from '../../schemas/wildcard.ts';
import type { WebhookEntry } from './file-schema.ts';
import type { Parcel } from './post.ts';
import { messageTemplate, payloadTemplate, type Render, valueAt } from './templates.ts';

export interface Webhook {
  readonly name: string;
  readonly kind: 'generic' | 'chatrobot';
  /** The address without what may be secret in it. */
  readonly shownUrl: string;
  /** Names, `prefix.*` or other wildcards. */
  readonly events: readonly string[];
  /** Names of its own headers. */
  readonly headers: readonly string[];
  readonly attempts: number;
  readonly timeoutMs: number;
  /** Wait after attempt n is entry n, or the last. */
  readonly backoffMs: readonly number[];
  takes(event: EventEnvelope): boolean;
  /** The body: JSON. Throws where a template of the file makes something else of this event. */
  render: Render;
  parcel(event: { readonly id: string; readonly name: string }, body: string): Parcel;
}

const control = /\p{Cc}/u;

/** What is wrong with an entry, and where in it. */
export class EntryError extends Error {
  readonly path: readonly (string | number)[];
  constructor(path: string | readonly (string | number)[], message: string) {
    super(message);
    this.path = typeof path === 'string' ? [path] : path;
  }
}

/** Of the connection, which is not the file's: each delivery with one of them would fail. */
const connectionHeaders = new Set('connection content-length expect keep-alive transfer-encoding upgrade'.split(' '));

const chatrobotMessage = 'svc: $event\nDCC: $dcc-type\nTool: $tool-slug\nURL: $url';
const defaultBackoff = [200, 1000, 5000];

/** Throws an `EntryError`, which does not repeat what came from the environment; `check` throws for a refused address. */
export function createWebhook(
  entry: WebhookEntry,
  env: Readonly<Record<string, string | undefined>>,
  check: (url: URL) => void,
): Webhook {
  const { attempts, timeout_ms, backoff_ms } = entry.delivery;
  if (control.test(entry.name)) throw new EntryError('name', 'is one line of text without control characters');
  if (entry.name.trim() === '') throw new EntryError('name', 'is more than blanks');
  entry.events.forEach(checkPattern);
  const url = addressOf(entry.url, env);
  try {
    check(url);
  } catch (error) {
    throw new EntryError('url', `is refused: ${(error as Error).message}`);
  }
  const headers = { ...signedIn(url), ...headersOf(entry.headers, env) };
  const rules = entry.filters.map(rule => Object.entries(rule));
  const render = renderer(entry);
  return {
    name: entry.name,
    kind: entry.kind === 'generic' ? 'generic' : 'chatrobot',
    shownUrl: shown(url),
    events: entry.events,
    headers: Object.keys(headers),
    attempts,
    timeoutMs: timeout_ms,
    backoffMs: backoff_ms.length > 0 ? backoff_ms : defaultBackoff,
    takes: event =>
      rules.length === 0 || rules.some(rule => rule.every(([path, wanted]) => matches(valueAt(event, path), wanted))),
    // Ids are the words of callers, and go out of the machine here.
    render: event => render({ ...event, correlation: redacted(event.correlation) as EventRecord }),
    parcel: ({ id, name }, body) => {
      const named = headerText(name);
      const all = { 'content-type': 'application/json', 'x-svc-event-id': id, 'x-svc-event-name': named, ...headers };
      return { url, headers: all, body };
    },
  };
}

/** `*` stands for any text; whatever has none is compared as it is. */
export function matches(value: unknown, wanted: unknown): boolean {
  if (value === undefined) return false;
  if (typeof wanted !== 'string' || !wanted.includes('*')) return value === wanted || String(value) === wanted;
  return isLike(String(value), [wanted]);
}

const interpolated = (text: string, env: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? '');

function addressOf(text: string, env: Readonly<Record<string, string | undefined>>): URL {
  const filled = interpolated(text, env);
  const url = URL.canParse(filled) ? new URL(filled) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const unset = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name).filter(name => !env[name]);
  const why = unset.length > 0 ? `: ${unset.join(', ')} is not set in the environment` : '';
  throw new EntryError('url', `must be an address that begins with http:// or https://${why}`);
}

/** A name and a password in the address, as every client of HTTP sends them. */
function signedIn({ username, password }: URL): { authorization?: string } {
  if (username === '' && password === '') return {};
  try {
    const both = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { authorization: `Basic ${Buffer.from(both).toString('base64')}` };
  } catch {
    throw new EntryError('url', 'has a name or password with a % that begins no code: write it as %25');
  }
}

/** Skills and hosts name events as they like, and half a character cannot be encoded. */
const headerText = (name: string): string => encodeURI(name.replaceAll(/\p{Surrogate}/gu, '\ufffd'));

/** No event is called like what is refused here, so that it would fit nothing for ever. */
function checkPattern(pattern: string, index: number): void {
  const path = ['events', index];
  if (isOtherGlob(pattern)) throw new EntryError(path, 'is no name of events: only * is a wildcard');
  if (/\s/.test(pattern)) throw new EntryError(path, 'is no name of events: it has blanks');
  // They hold the arguments of calls as they came, and never leave the process.
  if (/^internal(\.|$)/.test(pattern))
    throw new EntryError(path, 'is not sent: internal events stay within the server');
}

function headersOf(headers: Readonly<Record<string, string>>, env: Readonly<Record<string, string | undefined>>) {
  const filled = Object.entries(headers).map(([name, value]) => [name, interpolated(value, env)] as const);
  for (const [name, value] of filled) {
    const path = ['headers', name];
    if (connectionHeaders.has(name.toLowerCase()))
      throw new EntryError(path, 'is a header of the connection, and not to be set');
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new EntryError(path, 'is no header: a name without blanks and a value in one line');
    }
  }
  return Object.fromEntries(filled.map(([name, value]) => [name.toLowerCase(), value]));
}

function renderer({ kind, payload_template, message_template }: WebhookEntry): Render {
  const robot = kind !== 'generic';
  const foreign = robot ? payload_template !== undefined : message_template !== undefined;
  if (foreign) {
    const key = robot ? 'payload_template' : 'message_template';
    throw new EntryError(key, robot ? 'is for the kind generic' : 'is for the kind chatrobot');
  }
  try {
    if (payload_template === null) throw new Error('is empty: without the key the event itself is sent');
    if (robot) {
      const content = messageTemplate(message_template ?? chatrobotMessage);
      return event => JSON.stringify({ msgtype: 'markdown', markdown: { content: content(event) } });
    }
    return payload_template === undefined ? event => JSON.stringify(event) : payloadTemplate(payload_template);
  } catch (error) {
    throw new EntryError(robot ? 'message_template' : 'payload_template', (error as Error).message);
  }
}

/** An address that may stand in a log: the keys of chat robots are parameters or long parts of the path. */
export function shown(url: URL): string {
  const path = url.pathname.replaceAll(/[^/]{20,}/g, '[redacted]');
  return `${url.origin}${path}${url.search === '' ? '' : '?[redacted]'}`;
}
