/** A request of a REST client: its id, and whether somebody still waits for the answer. */
import type { ServerResponse } from 'node:http';

/** The client's id when it is a modest printable text, otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined, make: () => string): string {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : make();
}

/** Aborted when the client goes away before it has its answer. */
export function goneSignal({ raw }: { raw: ServerResponse }): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
