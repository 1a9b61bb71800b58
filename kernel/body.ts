/** Reads the body of a POST: the media type and the size are settled before anything is parsed. */
import type { IncomingMessage } from 'node:http';
import type { SvcError } from '../../kernel/index.ts';
import { mcpErrors } from './errors.ts';

/** A body beyond the limit is read and dropped up to this much, so that its sender lives to see the answer. */
const droppedBytes = 64 * 1024 * 1024;

export interface BodySink<T> {
  body(bytes: Buffer, owner: T): void;
  refuse(error: SvcError, owner: T): void;
}

/** Hands the body, or why it is refused, to `sink`. A client that goes away in the middle is heard of no more. */
export function readBody<T>(request: IncomingMessage, maxBytes: number, sink: BodySink<T>, owner: T): void {
  const { headers } = request;
  if (!isJson(headers['content-type'])) {
    sink.refuse(mcpErrors.MEDIA_TYPE(), owner);
    return;
  }
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let length = 0;
  let refused = false;

  const refuse = (): void => {
    refused = true;
    first = rest = undefined;
    sink.refuse(mcpErrors.BODY_TOO_LARGE({ max_request_body_bytes: maxBytes }), owner);
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
  if (Number(headers['content-length']) > maxBytes) refuse();
}

function isJson(type: string | undefined): boolean {
  if (type === 'application/json') return true;
  return type?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}
