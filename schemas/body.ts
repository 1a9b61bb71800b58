/** The body of a request past the router: whole, bounded, its bytes as they came; and what all unfinished bodies may hold. */
import type { IncomingMessage } from 'node:http';

/** A body beyond the limit is read and dropped up to this much, so that its sender lives to see the answer. */
const droppedBytes = 64 * 1024 * 1024;

export interface BodySink<T> {
  body(bytes: Buffer, owner: T): void;
  tooLarge(owner: T): void;
}

/** Of this process: what has come of bodies that are not whole yet. */
export const unfinished = {
  bytes: 0,
  maxBytes: Number.POSITIVE_INFINITY,
  /** Told of a request that was cut off to make room. */
  onCut: (_request: IncomingMessage): void => undefined,
};

/** By request, the oldest first. */
const held = new Map<IncomingMessage, number>();

/** Counts bytes of a body that has not come whole. Who waits longest goes first when there are too many. */
function hold(request: IncomingMessage, bytes: number): void {
  const before = held.get(request);
  if (before === undefined) request.once('close', () => release(request));
  held.set(request, (before ?? 0) + bytes);
  unfinished.bytes += bytes;
  for (const [oldest] of held) {
    if (unfinished.bytes <= unfinished.maxBytes) return;
    release(oldest);
    cut(oldest);
  }
}

function release(request: IncomingMessage): void {
  unfinished.bytes -= held.get(request) ?? 0;
  held.delete(request);
}

const tooMany = JSON.stringify({
  kind: 'overloaded',
  message: 'Too many bodies are under way (max_unfinished_body_bytes): send the request again, and faster',
});
const answer =
  'HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close\r\n' +
  `Content-Length: ${tooMany.length}\r\n\r\n${tooMany}`;

/** Nobody has begun to answer yet: its body is not there. */
function cut(request: IncomingMessage): void {
  const { socket } = request;
  unfinished.onCut(request);
  socket.end(answer, () => socket.destroy());
}

/** Counts the body of a request that somebody else reads. */
export function countBody(request: IncomingMessage): void {
  request.on('data', (chunk: Buffer) => hold(request, chunk.length));
  request.once('end', () => release(request));
}

/** Hands the body of a request to `sink`, once. A client that goes away in the middle is heard of no more. */
export function readBody<T>(request: IncomingMessage, maxBytes: number, sink: BodySink<T>, owner: T): void {
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let length = 0;
  let refused = false;
  const declared = Number(request.headers['content-length']);

  const refuse = (): void => {
    refused = true;
    first = rest = undefined;
    release(request);
    sink.tooLarge(owner);
  };

  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (refused) {
      if (length > maxBytes + droppedBytes) request.destroy();
      return;
    }
    if (length > maxBytes) {
      refuse();
      return;
    }
    if (first === undefined) first = chunk;
    else if (rest === undefined) rest = [first, chunk];
    else rest.push(chunk);
    // Most bodies are whole with their first piece.
    if (length !== declared) hold(request, chunk.length);
  });
  request.on('end', () => {
    if (refused) return;
    if (length !== first?.length || length !== declared) release(request);
    sink.body(rest ? Buffer.concat(rest, length) : (first ?? Buffer.alloc(0)), owner);
  });
  if (declared > maxBytes) refuse();
}
