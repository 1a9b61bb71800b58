/** CORS headers on whatever a page of another origin gets from here, where they are asked for; foreign origins got none. */
import type { RequestGuard } from '../../kernel/index.ts';
import { exposed } from '../../schemas/exposed-headers.ts';

const names = exposed.join(', ');

/** Many answers are written past the framework: the headers are set before anybody writes. */
export const reflectOrigin: RequestGuard = (request, response) => {
  const { origin } = request.headers;
  if (origin === undefined || !response) return undefined;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', names);
  response.setHeader('Vary', 'Origin');
  return undefined;
};
