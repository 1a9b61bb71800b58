/**
 * Who may use the page and its interface: whoever sits at the machine of the gateway, and no page but its own. A change
 * needs the token of this start, which only the page carries.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { classOf } from '../../schemas/attribution.ts';
import { adminErrors } from './errors.ts';

export const tokenHeader = 'x-svc-admin-token';

export type Access = ReturnType<typeof createAccess>;

export function createAccess() {
  const token = randomBytes(32).toString('base64url');

  /** Throws for who may not even look. */
  const admit = ({ socket, headers }: IncomingMessage): void => {
    const passedOn = headers['x-forwarded-for'] ?? headers.forwarded ?? headers['x-real-ip'];
    if (passedOn !== undefined || classOf(socket.remoteAddress ?? '') !== 'loopback') throw adminErrors.LOCAL_ONLY();
    const { origin, host } = headers;
    const own = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
    if (!own || headers['sec-fetch-site'] === 'cross-site') {
      throw adminErrors.ORIGIN({ origin: origin?.slice(0, 200) ?? 'another site' });
    }
  };

  return {
    token,
    admit,
    /** Throws for who may not change anything. */
    admitChange(request: IncomingMessage): void {
      admit(request);
      const given = Buffer.from(String(request.headers[tokenHeader] ?? ''));
      const wanted = Buffer.from(token);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
        throw adminErrors.TOKEN({ header: tokenHeader });
      }
    },
  };
}
