/** Of HTTP, what may be shown: headers that say how things were sent, never by which right. */
import type { IncomingMessage } from 'node:http';
import { withoutSecrets } from '../../schemas/redaction.ts';

const shown = [
  ...['accept', 'content-type', 'mcp-session-id', 'traceparent', 'tracestate', 'user-agent'],
  ...['x-svc-session-id', 'x-request-id', 'x-session-id'],
];
const longest = 512;

/** A text of a header or a path. */
export const safeText = (text: string): string => withoutSecrets(text.slice(0, longest));

/** Those of a request or an answer that may be shown; `read` gives one by its name. */
export function safeHeaders(read: (name: string) => string | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of shown) {
    const value = read(name);
    if (value !== undefined) found[name] = safeText(value);
  }
  return found;
}

export const headerOf =
  ({ headers }: IncomingMessage) =>
  (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
