/** Access tokens of an authorization server: signed, of this issuer, for this audience, in their time. Verified once, known until they expire. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../kernel/index.ts';
import { objectOf, text, texts } from '../../schemas/loose.ts';
import { type Scope, scopes } from '../../schemas/tokens.ts';
import type { Caller } from './api.ts';
import { callerOf } from './tokens.ts';

export interface JwtSettings {
  issuer: string;
  audience: string;
  /** Where its keys are; undefined: as its metadata says. */
  jwksUri: string | undefined;
}

/** Signatures by a key of its own that only the authorization server has. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const most = 10_000;
/** Keys are asked for again when a token names an unknown one, at most this often: so keys may rotate. */
const cooldownMs = 1000;
const timeoutMs = 5000;
const toleranceSecs = 5;

interface Verified {
  readonly caller: Caller;
  readonly expiresAt: number;
}

export type Jwt = ReturnType<typeof createJwt>;

export function createJwt({ issuer, audience, jwksUri }: JwtSettings, log: Pick<Logger, 'error'>) {
  const verified = new LRUCache<string, Verified>({ max: most });
  let keys: Promise<import('jose').JWTVerifyGetKey> | undefined;

  const keysOf = async (): Promise<import('jose').JWTVerifyGetKey> => {
    const { createRemoteJWKSet } = await import('jose');
    const from = new URL(jwksUri ?? (await discovered(issuer)));
    return createRemoteJWKSet(from, { cooldownDuration: cooldownMs, timeoutDuration: timeoutMs });
  };

  const known = (key: string): Caller | undefined => {
    const found = verified.get(key);
    if (!found) return undefined;
    if (found.expiresAt > Date.now()) return found.caller;
    verified.delete(key);
    return undefined;
  };

  return {
    /** Who has it; a promise the first time, of why it is not taken where it is not. */
    find(token: string): Caller | Promise<Caller | string> {
      const key = hash('sha256', token, 'base64');
      return known(key) ?? verify(token, key);
    },
  };

  async function verify(token: string, key: string): Promise<Caller | string> {
    const { jwtVerify } = await import('jose');
    try {
      keys ??= keysOf();
      const options = { issuer, audience, algorithms, clockTolerance: toleranceSecs, requiredClaims: ['exp', 'sub'] };
      const { payload } = await jwtVerify(token, await keys, options);
      const caller = callerIn(payload);
      verified.set(key, { caller, expiresAt: Number(payload.exp) * 1000 });
      return caller;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (typeof code === 'string' && /^ERR_(JWT|JWS|JWKS_NO|JWKS_MULT|JOSE_ALG|JOSE_NOT)/.test(code))
        return reasonOf(code);
      // Next time the authorization server may answer.
      keys = undefined;
      log.error({ err: error, issuer }, 'the keys of the authorization server cannot be had');
      return 'it cannot be checked now';
    }
  }
}

const reasonOf = (code: string): string => (code === 'ERR_JWT_EXPIRED' ? 'it has expired' : 'it is not valid here');

function callerIn(payload: Record<string, unknown>): Caller {
  const told = [...(text(payload.scope)?.split(' ') ?? []), ...texts(payload.scp)];
  const granted = told
    .map(each => each.replace(/^svc:/, ''))
    .filter((each): each is Scope => scopes.some(one => one === each));
  const allowed = Array.isArray(payload.allowed_dcc) ? texts(payload.allowed_dcc) : undefined;
  const label = String(payload.sub).slice(0, 100);
  const caller = callerOf({ label, scopes: granted, ...(allowed && { allowed_dcc: allowed }) });
  // A token that grants nothing is good for nothing.
  return granted.length === 0 && !allowed ? { ...caller, scopes: new Set() } : caller;
}

/** The address of the keys, from the metadata of the issuer (RFC 8414, OpenID Connect Discovery). */
async function discovered(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of places) {
    const answer = await fetch(place, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' }).catch(
      () => undefined,
    );
    const uri = answer?.ok ? text(objectOf(await answer.json().catch(() => undefined)).jwks_uri) : undefined;
    if (uri !== undefined) return uri;
  }
  throw new Error(`no metadata with jwks_uri at ${places[0]}`);
}
