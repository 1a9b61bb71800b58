/** The body of a request that goes on to another server. */
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';

/** Bodies up to this size are read before they are sent on: one write instead of a stream. */
export const smallBytes = 64 * 1024;

/** How the body of a request goes on. */
export function wayOf({ headers }: IncomingMessage): 'none' | 'whole' | 'streamed' {
  const { 'content-length': declared, 'transfer-encoding': coding } = headers;
  const length = Number(declared ?? 0);
  if (length > smallBytes || (declared === undefined && coding !== undefined)) return 'streamed';
  return length === 0 ? 'none' : 'whole';
}

/**
 * The bytes as a stream of our own: undici destroys what it could not send, and the answer needs the socket. More than
 * `most` of them, where there is a limit, break it off with what `tooLarge` makes.
 */
export function passingBody(request: IncomingMessage, limit?: { most: number; tooLarge(): Error }): PassThrough {
  const body = new PassThrough();
  let size = 0;
  body.on('error', () => undefined);
  if (limit) {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit.most) body.destroy(limit.tooLarge());
    });
  }
  request.on('error', error => body.destroy(error));
  request.on('close', () => {
    if (!request.complete) body.destroy(new Error('the client went away'));
  });
  return request.pipe(body);
}
