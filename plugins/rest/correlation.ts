/** Who asks, over HTTP: request id and trace, taken from the headers or made (shape:correlation). */
import type { IncomingMessage } from 'node:http';
import type { Ids } from '../../kernel/index.ts';
import { spanIn } from '../../schemas/traceparent.ts';

export interface Correlation {
  readonly requestId: string;
  /** 32 hex digits. */
  readonly traceId: string;
  /** W3C form, with a span of the gateway's own. */
  readonly traceparent: string;
  /** Of `performance.now()`. */
  readonly arrived: number;
}

const printable = /^[\x21-\x7e]{1,128}$/;

export function correlationOf({ headers }: Pick<IncomingMessage, 'headers'>, ids: Pick<Ids, 'uuid'>): Correlation {
  const { 'x-request-id': asked, traceparent: given } = headers;
  const made = ids.uuid();
  const { traceId, traceparent } = spanIn(made, given);
  return {
    requestId: typeof asked === 'string' && printable.test(asked) ? asked : made,
    traceId,
    traceparent,
    arrived: performance.now(),
  };
}
