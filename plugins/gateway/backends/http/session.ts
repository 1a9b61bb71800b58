/** One MCP session over HTTP: its messages are POSTs, what comes by itself an event stream that resumes where it broke. */
import type { Pool } from 'undici';
import { parseMessage } from '../answer.ts';
import type { LinkSession, ListenEnd } from '../driver.ts';
import type { Channel } from './channel.ts';
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
  /** Of an instance that serves them. */
  channel: ((headers: readonly string[]) => Channel) | undefined;
}

export function createHttpSession(parts: HttpSessionParts): LinkSession {
  const { wire, streams, path, maxBytes, onMessage, revision, id } = parts;
  const known = id !== undefined;
  const own = ['mcp-protocol-version', revision, ...(known ? ['mcp-session-id', id] : [])];
  const posting = [...json, ...own];
  const channel = parts.channel?.(own);
  let lastEventId: string | undefined;

  return {
    post(message) {
      const { trace } = message;
      return (
        channel?.post(message) ??
        wire.post(message, trace ? [...posting, ...Object.entries(trace).flat()] : posting, known)
      );
    },

    listen: ({ signal, onOpen }) =>
      new Promise(resolve => {
        const resume = lastEventId === undefined ? [] : ['last-event-id', lastEventId];
        let opened = false;
        const exchange = new HttpExchange(
          {
            timeoutMs: headMs,
            maxBytes,
            signal,
            onOpen() {
              opened = true;
              onOpen();
            },
            onEvent: event => {
              if (event.id !== undefined) lastEventId = event.id;
              const message = parseMessage(event.data);
              if (message) onMessage(message);
            },
          },
          (failure, reply) => {
            // What is not kept there any more cannot be resumed; the stream begins anew.
            if (reply?.status === 400) lastEventId = undefined;
            if (failure) resolve(failure.kind === 'gone' ? 'over' : 'ended');
            else resolve(opened ? 'ended' : endOf(reply?.status ?? 0));
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

/** What is no stream: of a server without one (405, or whatever it answers every GET with), or of a session that is gone. */
const endOf = (status: number): ListenEnd => (status === 405 || status < 400 ? 'over' : 'refused');
