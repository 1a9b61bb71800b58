/** Reads the JSON body of a POST from Node's request: the short way around Fastify's parser. */
import type { IncomingMessage } from 'node:http';
import { readBody } from '../../schemas/body.ts';
import { isJson } from '../../schemas/media-type.ts';
import { restErrors } from './errors.ts';

/** The parsed body, undefined for none; what is wrong with it goes to `refuse`. Nothing happens when the client goes away. */
export function readJson(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: unknown) => void,
  refuse: (error: unknown) => void,
): void {
  const receive = (bytes: Buffer): void => {
    let body: unknown;
    try {
      const text = bytes.toString('utf8');
      if (bytes.length > 0 && !isJson(request.headers['content-type'])) {
        refuse(restErrors.MEDIA_TYPE());
        return;
      }
      body = text.trim() === '' ? undefined : JSON.parse(text);
    } catch (error) {
      refuse(restErrors.BODY({ reason: `it is not JSON (${(error as Error).message})` }));
      return;
    }
    done(body);
  };
  const tooLarge = (): void => refuse(restErrors.BODY_TOO_LARGE({ max_request_body_bytes: maxBytes }));
  readBody(request, maxBytes, { body: receive, tooLarge }, undefined);
}
