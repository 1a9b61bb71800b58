/** Who may use the REST twin: peers of this machine, or everybody who has one of the tokens (shape:auth). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { restErrors } from '../errors.ts';

/** Throws SVC_REST_UNAUTHORIZED; `peer` is the address at the other end, undefined when there is none. */
export type Gate = (peer: string | undefined, authorization: string | undefined) => void;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createGate(tokens: readonly string[]): Gate {
  const known = tokens.map(digest);
  return (peer, authorization) => {
    if (known.length === 0) {
      if (isOwnMachine(peer)) return;
      throw restErrors.UNAUTHORIZED({
        reason: 'it serves peers of its own machine only, unless rest_tokens names any',
      });
    }
    const [, token] = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '') ?? [];
    const given = digest(token ?? '');
    // All of them, so that the time says nothing about which one was close.
    if (known.filter(each => timingSafeEqual(each, given)).length > 0 && token !== undefined) return;
    throw restErrors.UNAUTHORIZED({ reason: 'send "Authorization: Bearer <token>" with one of rest_tokens' });
  };
}

/** Loopback, or no address at all. */
export function isOwnMachine(peer: string | undefined): boolean {
  if (peer === undefined || peer === '' || peer === '::' || peer === '0.0.0.0') return true;
  return peer === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(peer);
}
