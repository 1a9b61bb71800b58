/**
 * Who may use the page and its interface: whoever sits at the machine of the gateway, or has signed in where the gateway
 * asks for tokens; and no page but its own. A change needs the token of this start, which only the page has.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLocalCaller } from '../../schemas/local-caller.ts';
import type { GuardService } from '../guard/api.ts';
import { adminErrors } from './errors.ts';

export const tokenHeader = 'x-svc-admin-token';

export type Access = ReturnType<typeof createAccess>;

/** Who has signed in, and with what he changes something. */
export interface Who {
  guarded: boolean;
  label: string | null;
  scopes: string[];
  /** For who may change something. */
  token?: string;
}

export function createAccess(guard: Pick<GuardService, 'on' | 'callerOf'>) {
  const token = randomBytes(32).toString('base64url');

  /** Throws for who may not even look. */
  const admit = (request: IncomingMessage): void => {
    // Behind the guard, who is elsewhere has shown who he is; the page itself tells nothing.
    if (!guard.on && !isLocalCaller(request)) throw adminErrors.LOCAL_ONLY();
    const { headers } = request;
    const { origin, host } = headers;
    const own = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
    if (!own || headers['sec-fetch-site'] === 'cross-site') {
      throw adminErrors.ORIGIN({ origin: origin?.slice(0, 200) ?? 'another site' });
    }
  };

  return {
    /** What the page carries: nothing for those who have yet to sign in. */
    pageToken: guard.on ? '' : token,
    admit,
    whoami(request: IncomingMessage): Who {
      if (!guard.on) return { guarded: false, label: null, scopes: ['admin'] };
      const { label = null, scopes = new Set<string>() } = guard.callerOf(request) ?? {};
      return { guarded: true, label, scopes: [...scopes], ...(scopes.has('admin') && { token }) };
    },
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
