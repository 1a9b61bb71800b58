/**
 * The channel of a session with one of our own instances: messages as lines on one connection, answered in any order. It
 * spares the HTTP of a call, which costs more than the call. Notifications and what is large go by POST, and so does
 * everything while no channel is open.
 */

import type { Socket } from 'node:net';
import type { Pool } from 'undici';
import { atMost } from '../../../../schemas/at-most.ts';
import { belongingIn, channelTarget, refusalIn } from '../../../../schemas/channel.ts';
import { InFlightById } from '../../../../schemas/in-flight-by-id.ts';
import { createLineReader, createLineWriter } from '../../../../schemas/lines.ts';
import { parseMessage } from '../answer.ts';
import type { Posted, Posting } from '../driver.ts';
import type { Failure } from '../failure.ts';
import { readReply } from './reply.ts';

/** Characters of a message that may go here: a large one would hold up those behind it. */
const longestBody = 64 * 1024;
const openMs = 2000;
/** Between attempts to open one. */
const restMs = 1000;

export interface ChannelParts {
  /** Connections for what lasts. */
  streams: Pool;
  /** Names and values that name the session. */
  headers: readonly string[];
  maxBytes: number;
  onMessage(message: Record<string, unknown>): void;
}

export type Channel = ReturnType<typeof createChannel>;

interface Waiting {
  settle(posted: Posted): void;
  /** Takes what comes before the answer. */
  take: ((message: Record<string, unknown>) => void) | undefined;
}

export function createChannel({ streams, headers, maxBytes, onMessage }: ChannelParts) {
  const waiting = new InFlightById<Waiting>();
  let socket: Socket | undefined;
  let write: ((line: string) => void) | undefined;
  let restsUntil = 0;
  let closed = false;

  /** Told when nothing waits any more. */
  let emptied: (() => void) | undefined;

  const failAll = (failure: Failure): void => {
    for (const each of waiting.list()) each.settle({ failure });
  };

  const take = (line: string): void => {
    const belonging = belongingIn(line);
    if (belonging) {
      const message = parseMessage(belonging.json);
      if (message) (waiting.get(belonging.id)?.take ?? onMessage)(message);
      return;
    }
    const { status, json } = refusalIn(line);
    const id = idOf(json);
    const asked = id === undefined ? undefined : waiting.get(id);
    if (id !== undefined && asked) {
      const answer = readReply({ status, headers: [], body: json }, id);
      asked.settle(answer.error === undefined ? answer : { ...answer, doubtful: true });
    } else if (id === undefined) {
      const message = parseMessage(json);
      if (message) onMessage(message);
    }
  };

  const use = (opened: Socket): void => {
    const over = (failure: Failure): void => {
      if (socket !== opened) return;
      socket = undefined;
      write = undefined;
      opened.destroy();
      failAll(failure);
    };
    const receive = (lines: string[]): void => {
      for (const line of lines) take(line);
    };
    const tooLong = (beginning: string): void => {
      const asked = waiting.get(idOf(refusalIn(beginning).json) ?? 0);
      asked?.settle({ failure: { kind: 'too-large', reason: `more than ${maxBytes} bytes` } });
    };
    socket = opened;
    write = createLineWriter(opened);
    opened.on('data', createLineReader(maxBytes, receive, tooLong));
    opened.on('error', error => over({ kind: 'broken', reason: codeOf(error) }));
    opened.once('close', () => over({ kind: 'broken', reason: 'other side closed' }));
    opened.once('end', () => over({ kind: 'broken', reason: 'other side closed' }));
    opened.setNoDelay(true);
  };

  const open = async (): Promise<void> => {
    restsUntil = performance.now() + restMs;
    const signal = AbortSignal.timeout(openMs);
    try {
      const answer = await streams.connect({ path: channelTarget, headers: headers as string[], signal });
      if (answer.statusCode === 200 && !closed) {
        use(answer.socket as Socket);
        return;
      }
      // Who refuses one now will refuse the next.
      closed = true;
      answer.socket.destroy();
    } catch {
      // By POST then.
    }
  };

  return {
    /** Sends a message here, or gives nothing where it must go by POST. */
    post({ id, body, timeoutMs, signal, onMessage: own }: Posting): Promise<Posted> | undefined {
      if (!write) {
        if (!closed && performance.now() >= restsUntil) void open();
        return undefined;
      }
      if (id === undefined || body.length > longestBody) return undefined;
      write(body);
      return new Promise(resolve => {
        const settle = (posted: Posted): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', cancel);
          waiting.delete(id);
          if (waiting.size === 0) emptied?.();
          resolve(posted);
        };
        const cancel = (): void => settle({ failure: { kind: 'cancelled', reason: 'the caller gave up' } });
        const arm = () => setTimeout(settle, timeoutMs, { failure: { kind: 'timeout', reason: 'deadline' } });
        let timer = arm();
        let holds = 0;
        const hold = () => {
          holds += 1;
          clearTimeout(timer);
          return () => {
            holds -= 1;
            if (holds === 0 && waiting.has(id)) timer = arm();
          };
        };
        waiting.set(id, { settle, take: own && (message => own(message, hold)) });
        if (signal?.aborted) cancel();
        else signal?.addEventListener('abort', cancel, { once: true });
      });
    },
    /** Takes nothing new; what waits for an answer may have it first, for as long as `drainMs`. */
    async close(failure: Failure, drainMs: number): Promise<void> {
      closed = true;
      write = undefined;
      if (waiting.size > 0 && drainMs > 0) await atMost(new Promise<void>(resolve => (emptied = resolve)), drainMs);
      const ending = socket;
      socket = undefined;
      ending?.destroy();
      failAll(failure);
    },
  };
}

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.message;

const head = '{"jsonrpc":"2.0","id":';

/** The id of an answer as our instances write it; undefined for what is none. */
function idOf(json: string): number | undefined {
  if (!json.startsWith(head)) return undefined;
  const id = Number.parseInt(json.slice(head.length, head.length + 16), 10);
  return Number.isNaN(id) ? undefined : id;
}
