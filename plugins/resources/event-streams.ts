/** Event streams of the REST routes: framing, one heartbeat for all, a cap on what a client leaves unread. */
import type { ServerResponse } from 'node:http';
import { resourceErrors } from './errors.ts';

export interface EventStreamsDeps {
  /** Most streams at once. */
  limit: number;
  /** Seconds between comment lines on a quiet stream; 0 sends none. */
  heartbeatSecs: number;
  /** Unread bytes after which a client is cut off. */
  maxBytes: number;
}

export interface EventStreams {
  readonly size: number;
  /** Throws SVC_RESOURCES_TOO_MANY_STREAMS; asked before a response is taken over. */
  requireRoom(): void;
  /** Answers with an open stream; `source` is started with its sink, and what it returns is run when the stream ends. */
  open(response: ServerResponse, headers: Headers, source: (send: (data: unknown) => void) => () => void): void;
  /** Ends every stream. */
  end(): void;
}

type Headers = Readonly<Record<string, string>>;

export function createEventStreams({ limit, heartbeatSecs, maxBytes }: EventStreamsDeps): EventStreams {
  const open = new Set<ServerResponse>();
  const quiet = new Set<ServerResponse>();
  let beating: NodeJS.Timeout | undefined;

  const write = (response: ServerResponse, text: string): void => {
    if (response.destroyed || response.writableEnded) return;
    if (response.writableLength > maxBytes) response.destroy();
    else response.write(text);
  };

  const beat = (): void => {
    for (const response of quiet) write(response, ':\n\n');
    for (const response of open) quiet.add(response);
  };

  const forget = (response: ServerResponse): void => {
    open.delete(response);
    quiet.delete(response);
    if (open.size > 0) return;
    clearInterval(beating);
    beating = undefined;
  };

  return {
    get size() {
      return open.size;
    },

    requireRoom() {
      if (open.size >= limit) throw resourceErrors.TOO_MANY_STREAMS({ limit });
    },

    open(response, headers, source) {
      // A response that breaks while it is written to is a closed stream, not a failure of the server.
      response.on('error', () => response.destroy());
      if (response.destroyed) return;
      response.writeHead(200, {
        ...headers,
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-cache',
        'X-Accel-Buffering': 'no',
      });
      response.flushHeaders();
      open.add(response);
      if (heartbeatSecs > 0) beating ??= setInterval(beat, heartbeatSecs * 1000).unref();
      const stop = source(data => {
        quiet.delete(response);
        write(response, `data: ${JSON.stringify(data)}\n\n`);
      });
      response.once('close', () => {
        forget(response);
        stop();
      });
    },

    end() {
      for (const response of open) response.end();
    },
  };
}
