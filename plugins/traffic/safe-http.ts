/** Of HTTP, what may be shown: headers that say how things were sent, never by which right. */
import type { IncomingMessage } from 'node:http';
import { withoutSecrets } from '../../schemas/redaction.ts';
import type { Headers } from './handed.ts';
import type { Exchange } from './tap.ts';

/** Names of the headers that may be shown, in alphabetical order but for those of this server. */
export const shownHeaders = [
  ...(['accept', 'content-type', 'mcp-session-id', 'traceparent', 'tracestate', 'user-agent'] as const),
  ...(['x-svc-session-id', 'x-request-id', 'x-session-id'] as const),
] as const;
type Shown = (typeof shownHeaders)[number];
const longest = 512;

/** A text of a header, a path or an id; cleaned before it is cut, since half of a credential is not told by its looks. */
export const safeText = (text: string): string => withoutSecrets(text.slice(0, 2 * longest)).slice(0, longest);

/** The last value of each, and what it comes to: clients say most of it again and again. */
const lastValues: string[] = [];
const lastMembers: string[] = [];

/** JSON of the headers that may be shown. */
export function headersJson(headers: Headers): string {
  let members = '';
  for (let index = 0; index < headers.length; index += 1) {
    const value = headers[index];
    if (value === undefined) continue;
    if (lastValues[index] !== value) {
      lastValues[index] = value;
      lastMembers[index] = `,"${shownHeaders[index]}":${JSON.stringify(safeText(value))}`;
    }
    members += lastMembers[index];
  }
  return `{${members.slice(1)}}`;
}

export const headerIn = (headers: Headers, name: Shown): string | undefined => headers[shownHeaders.indexOf(name)];

/** Those of a request. */
export const headersOf = ({ headers }: IncomingMessage): Headers =>
  shownHeaders.map(name => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  });

/** Those of an answer: given to `writeHead`, or set before. */
export function answerHeadersOf({ headers = [], response }: Exchange): Headers {
  const found: (string | undefined)[] = shownHeaders.map(() => undefined);
  const take = (name: string, value: unknown): void => {
    const index = shownHeaders.indexOf(name.toLowerCase() as Shown);
    if (index >= 0 && value !== undefined) found[index] ??= String(value);
  };
  if (Array.isArray(headers)) {
    for (let index = 0; index < headers.length; index += 2) take(String(headers[index]), headers[index + 1]);
  } else for (const name in headers) take(name, (headers as Record<string, unknown>)[name]);
  for (const name of response.getHeaderNames()) take(name, response.getHeader(name));
  return found;
}
