/** Who may register remote instances: static bearer tokens, compared in constant time (shape:auth). */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Settings } from './config.ts';
import { discoveryErrors } from './errors.ts';

/** Refuses a request for a host type; `dcc_type` undefined when it names none. */
export type BearerGate = (authorization: string | undefined, dcc_type: string | undefined) => void;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Without tokens everybody may; throws SVC_DISCOVERY_HTTP_UNAUTHORIZED or _DCC_SCOPE. */
export function createBearerGate(tokens: Settings['gateway_register_tokens']): BearerGate {
  const grants = tokens.map(({ token, label, allowed_dcc = [] }) => ({
    digest: digest(token),
    label,
    allowed: new Set(allowed_dcc.map(each => each.toLowerCase())),
  }));
  return (authorization, dcc_type) => {
    if (grants.length === 0) return;
    const [, token] = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '') ?? [];
    const given = digest(token ?? '');
    // All of them, so that the time says nothing about which one was close.
    const [grant] = grants.filter(each => timingSafeEqual(each.digest, given));
    if (token === undefined || !grant) throw discoveryErrors.UNAUTHORIZED();
    if (dcc_type === undefined || grant.allowed.size === 0 || grant.allowed.has(dcc_type.toLowerCase())) return;
    throw discoveryErrors.DCC_SCOPE({ label: grant.label, dcc_type });
  };
}
