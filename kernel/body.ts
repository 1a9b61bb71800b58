/** The body of a request on the direct way (front.ts): whole, bounded, its bytes as they came. */
import type { IncomingMessage } from 'node:http';

/** A body beyond the limit is read and dropped up to this much, so that its sender lives to see the answer. */
const droppedBytes = 64 * 1024 * 1024;

export interface BodySink<T> {
  body(bytes: Buffer, owner: T): void;
  tooLarge(owner: T): void;
}

/** Hands the body of a request to `sink`, once. A client that goes away in the middle is heard of no more. */
export function readBody<T>(request: IncomingMessage, maxBytes: number, sink: BodySink<T>, owner: T): void {
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let length = 0;
  let refused = false;

  const refuse = (): void => {
    refused = true;
    first = rest = undefined;
    sink.tooLarge(owner);
  };

  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (refused) {
      if (length > maxBytes + droppedBytes) request.destroy();
    } else if (length > maxBytes) refuse();
    else if (first === undefined) first = chunk;
    else if (rest === undefined) rest = [first, chunk];
    else rest.push(chunk);
  });
  request.on('end', () => {
    if (!refused) sink.body(rest ? Buffer.concat(rest, length) : (first ?? Buffer.alloc(0)), owner);
  });
  if (Number(request.headers['content-length']) > maxBytes) refuse();
}
