/** The standing event stream of the gateway's session: kept open while someone listens, resumed where it broke. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'undici';
import { parseMessage } from './answer.ts';
import type { Failure } from './failure.ts';
import { HttpExchange } from './http-exchange.ts';
import type { OpenSession, SessionKeeper } from './session-keeper.ts';

const firstPauseMs = 100;
const longestPauseMs = 5000;
const headMs = 10_000;

export interface StandingStream {
  start(): void;
  stop(): void;
}

export interface StandingStreamParts {
  sessions: SessionKeeper;
  streams: Pool;
  path: string;
  maxBytes: number;
  onMessage(message: Record<string, unknown>): void;
}

interface Ended {
  status: number;
  failure?: Failure;
}

export function createStandingStream({
  sessions,
  streams,
  path,
  maxBytes,
  onMessage,
}: StandingStreamParts): StandingStream {
  let stopping: AbortController | undefined;

  /** One connection of the stream, from its head to its end. */
  const listen = (session: OpenSession, place: Place, signal: AbortSignal): Promise<Ended> =>
    new Promise(resolve => {
      const headers = [...session.headers.slice(2)];
      headers[1] = 'text/event-stream';
      if (place.eventId !== undefined) headers.push('last-event-id', place.eventId);
      const exchange = new HttpExchange(
        {
          timeoutMs: headMs,
          maxBytes,
          signal,
          onOpen: () => {
            place.pauseMs = firstPauseMs;
          },
          onEvent: ({ id, data }) => {
            if (id !== undefined) place.eventId = id;
            const message = parseMessage(data);
            if (message) onMessage(message);
          },
        },
        (failure, reply) => resolve({ status: reply?.status ?? 0, ...(failure && { failure }) }),
      );
      streams.dispatch({ method: 'GET', path, headers }, exchange);
    });

  const keep = async (signal: AbortSignal): Promise<void> => {
    const place: Place = { session: undefined, eventId: undefined, pauseMs: firstPauseMs };
    while (!signal.aborted) {
      const opening = await sessions.open();
      if (signal.aborted) return;
      if ('session' in opening) {
        const { session } = opening;
        if (place.session !== session) Object.assign(place, { session, eventId: undefined });
        const { status, failure } = await listen(session, place, signal);
        if (status === 404 && session.id !== undefined) sessions.drop(session);
        // What is not kept there any more cannot be resumed; the stream begins anew.
        else if (status === 400) place.eventId = undefined;
        // An instance without a standing stream has none until it is another instance.
        else if (status === 405) return;
        if (failure?.kind === 'gone') return;
      }
      // Rejects when it is stopped, which ends the loop.
      await pause(place.pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      place.pauseMs = Math.min(place.pauseMs * 2, longestPauseMs);
    }
  };

  return {
    start() {
      if (stopping) return;
      stopping = new AbortController();
      void keep(stopping.signal);
    },
    stop() {
      stopping?.abort();
      stopping = undefined;
    },
  };
}

interface Place {
  session: OpenSession | undefined;
  eventId: string | undefined;
  pauseMs: number;
}
