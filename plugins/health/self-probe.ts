/** Asks the fresh listener once, so that the log tells when something stands between it and this machine. */
import { get } from 'node:http';

/** Why `url` did not answer within `timeoutMs`; nothing when it did. */
export function probe(url: string, timeoutMs: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const request = get(url, { agent: false }, response => {
      response.resume();
      resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`);
    });
    const timer = setTimeout(() => {
      resolve(`no answer within ${timeoutMs} ms`);
      request.destroy();
    }, timeoutMs);
    request.once('close', () => clearTimeout(timer));
    request.once('error', error => resolve(error.message));
  });
}
