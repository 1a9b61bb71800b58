/** Addresses as people write them, and why one cannot be listened on, in terms of the table. */
import { hostInUrl } from '../../schemas/address.ts';
import { listenerErrors } from './errors.ts';

/** An address as it stands in a URL. */
export const joined = (host: string, port: number): string => `${hostInUrl(host)}:${port}`;

export function listenError(error: unknown, host: string, port: number): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const address = joined(host, port);
  if (code === 'EADDRINUSE') return listenerErrors.PORT_IN_USE({ address, host, port }, error);
  if (code === 'EACCES') return listenerErrors.LISTEN_FORBIDDEN({ address, host, port }, error);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return listenerErrors.ADDRESS_UNAVAILABLE({ host }, error);
  }
  return listenerErrors.LISTEN_FAILED({ address, reason: message }, error);
}
