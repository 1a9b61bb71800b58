/** Who asks, over HTTP: request id and trace, taken from the headers or made (shape:correlation). */
import type { IncomingMessage } from 'node:http';
import type { Ids } from '../../kernel/index.ts';

export interface Correlation {
  readonly requestId: string;
  /** 32 hex digits. */
  readonly traceId: string;
  /** W3C form, with a span of the gateway's own. */
  readonly traceparent: string;
}

const printable = /^[\x21-\x7e]{1,128}$/;
const parent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})/;

export function correlationOf({ headers }: Pick<IncomingMessage, 'headers'>, ids: Pick<Ids, 'uuid'>): Correlation {
  const { 'x-request-id': asked, traceparent: given } = headers;
  const made = ids.uuid();
  const hex = made.replaceAll('-', '');
  const [, trace = hex, flags = '01'] = typeof given === 'string' ? (parent.exec(given) ?? []) : [];
  return {
    requestId: typeof asked === 'string' && printable.test(asked) ? asked : made,
    traceId: trace,
    // The random half of the id, since its first half may be the trace already.
    traceparent: `00-${trace}-${hex.slice(16)}-${flags}`,
  };
}
