/** One MCP session over HTTP: its messages are POSTs, what comes by itself an event stream that resumes where it broke. */
import type { Pool } from 'undici';
import { parseMessage } from '../answer.ts';
import type { LinkSession, ListenEnd } from '../driver.ts';
import { HttpExchange } from './exchange.ts';
import type { Wire, WireParts } from './wire.ts';

const headMs = 10_000;
/** Of every POST. */
export const json = ['content-type', 'application/json', 'accept', 'application/json, text/event-stream'];

export interface HttpSessionParts extends Omit<WireParts, 'pool'> {
  wire: Wire;
  /** Connections for what lasts. */
  streams: Pool;
  /** The revision agreed upon. */
  revision: string;
  /** Undefined for an instance that keeps no sessions. */
  id: string | undefined;
}

export function createHttpSession(parts: HttpSessionParts): LinkSession {
  const { wire, streams, path, maxBytes, onMessage, revision, id } = parts;
  const known = id !== undefined;
  const own = ['mcp-protocol-version', revision, ...(known ? ['mcp-session-id', id] : [])];
  const posting = [...json, ...own];
  let lastEventId: string | undefined;

  return {
    post: message => wire.post(message, posting, known),

    listen: ({ signal, onOpen }) =>
      new Promise(resolve => {
        const resume = lastEventId === undefined ? [] : ['last-event-id', lastEventId];
        const exchange = new HttpExchange(
          {
            timeoutMs: headMs,
            maxBytes,
            signal,
            onOpen,
            onEvent: event => {
              if (event.id !== undefined) lastEventId = event.id;
              const message = parseMessage(event.data);
              if (message) onMessage(message);
            },
          },
          (failure, reply) => {
            // What is not kept there any more cannot be resumed; the stream begins anew.
            if (reply?.status === 400) lastEventId = undefined;
            resolve(failure?.kind === 'gone' ? 'over' : endOf(reply?.status, known));
          },
        );
        streams.dispatch(
          { method: 'GET', path, headers: ['accept', 'text/event-stream', ...own, ...resume] },
          exchange,
        );
      }),

    async end(timeoutMs) {
      if (known) await wire.fetch({ method: 'DELETE', path, headers: own, timeoutMs });
    },
  };
}

/** An instance without a standing stream (405) has none until it is another instance. */
const endOf = (status: number | undefined, known: boolean): ListenEnd =>
  status === 404 && known ? 'forgotten' : status === 405 ? 'over' : 'ended';
