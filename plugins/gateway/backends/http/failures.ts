/** What failures of undici and of sockets mean. */
import type { Failure } from '../failure.ts';

const unreachable = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function failureOf(error: Error): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (unreachable.has(code)) return { kind: 'unreachable', reason: code };
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED')
    return { kind: 'gone', reason: 'its connections were closed' };
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { kind: 'malformed', reason: `what came is not HTTP (${code})` };
  }
  if (code === 'UND_ERR_INVALID_ARG') return { kind: 'malformed', reason: message };
  return { kind: 'broken', reason: code === '' || code === 'UND_ERR_SOCKET' ? message : code };
}
