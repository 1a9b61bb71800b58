/** Access tokens of an authorization server: signed, of this issuer, for this audience, in their time, by keys that may rotate. */
import type { Logger } from '../../kernel/index.ts';
import { objectOf, text, texts } from '../../schemas/loose.ts';
import { type Scope, scopes } from '../../schemas/tokens.ts';
import type { Caller } from './api.ts';
import { callerOf } from './tokens.ts';
import type { Proof } from './verdicts.ts';

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
/** Keys are asked for again when a token names an unknown one, at most this often: so keys may rotate. */
const cooldownMs = 1000;
const timeoutMs = 5000;
/** And after so long in any case: what the authorization server took back is refused soon after. */
const recheckMs = 60_000;
/** While it does not answer, its last keys hold for so long. */
const keysMaxAgeMs = 600_000;
const toleranceSecs = 5;

export type Jwt = ReturnType<typeof createJwt>;

export function createJwt(
  { issuer, audience, jwksUri }: JwtSettings,
  log: Pick<Logger, 'error'>,
  onRotation: () => void,
) {
  type Keys = ReturnType<typeof import('jose').createRemoteJWKSet>;
  let keys: Promise<Keys> | undefined;
  let askedAt = 0;
  let seen: string | undefined;

  const keysOf = async (): Promise<Keys> => {
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const from = new URL(jwksUri ?? (await discovered(issuer)));
    const asked: import('jose').FetchImplementation = async (url, init) => {
      askedAt = Date.now();
      const answer = await fetch(url, init);
      const text = await answer.text();
      if (answer.ok && seen !== undefined && seen !== text) onRotation();
      if (answer.ok) seen = text;
      return new Response(text, answer);
    };
    const terms = { cooldownDuration: cooldownMs, timeoutDuration: timeoutMs, cacheMaxAge: keysMaxAgeMs };
    return createRemoteJWKSet(from, { ...terms, [customFetch]: asked });
  };

  return {
    /** Who has it, or why it is not taken. */
    async find(token: string): Promise<Proof | string> {
      const { jwtVerify } = await import('jose');
      try {
        keys ??= keysOf();
        const options = { issuer, audience, algorithms, clockTolerance: toleranceSecs, requiredClaims: ['exp', 'sub'] };
        const known = await keys;
        const { payload } = await jwtVerify(token, known, options);
        // Beside the request: when they are others, `onRotation` has everybody looked at again.
        if (Math.abs(Date.now() - askedAt) >= recheckMs && !known.reloading) void known.reload().catch(() => undefined);
        return { caller: callerIn(payload), until: Math.min(Number(payload.exp) * 1000, Date.now() + recheckMs) };
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (typeof code === 'string' && /^ERR_(JWT|JWS|JWKS_NO|JWKS_MULT|JOSE_ALG|JOSE_NOT)/.test(code))
          return reasonOf(code);
        // Next time the authorization server may answer.
        keys = undefined;
        log.error({ err: error, issuer }, 'the keys of the authorization server cannot be had');
        return 'it cannot be checked now';
      }
    },
  };
}

const reasonOf = (code: string): string => (code === 'ERR_JWT_EXPIRED' ? 'it has expired' : 'it is not valid here');

function callerIn(payload: Record<string, unknown>): Caller {
  const told = [...(text(payload.scope)?.split(' ') ?? []), ...texts(payload.scp)];
  const granted = told
    .map(each => each.replace(/^svc:/, ''))
    .filter((each): each is Scope => scopes.some(one => one === each));
  const allowed = Array.isArray(payload.allowed_dcc) ? texts(payload.allowed_dcc) : undefined;
  const entry = { label: String(payload.sub).slice(0, 100), scopes: granted, ...(allowed && { allowed_dcc: allowed }) };
  const caller = callerOf(entry, `oauth:${payload.sub}`);
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
