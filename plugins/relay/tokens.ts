/** Tokens of tunnels: JWT that say who may open one, until when, and for which host types. */
import { createLocalJWKSet, type JWTPayload, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose';
import { relayErrors } from './errors.ts';
import { type RelayKey, readKey } from './keys.ts';

export interface Grant {
  readonly subject: string;
  /** In small letters; empty for every type. */
  readonly allowed: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** Clocks of two machines may differ by so much. */
const toleranceSecs = 5;

/** Who a token is for; rejects when it is for nobody. */
export async function verifyToken(
  token: string,
  { keyFile, issuer, now }: { keyFile: string | null; issuer: string | null; now: () => number },
): Promise<Grant> {
  const key = await readKey(keyFile);
  const { payload } = await verified(token, key, {
    algorithms: [...key.algorithms],
    requiredClaims: ['sub', 'exp'],
    clockTolerance: toleranceSecs,
    currentDate: new Date(now()),
    ...(issuer !== null && { issuer }),
  });
  const { sub = '', exp = 0, iat = 0, allowed_dcc: types = [] } = payload;
  if (sub === '') throw new Error('it names nobody');
  if (iat > now() / 1000 + toleranceSecs) throw new Error('it was issued in the future');
  if (!Array.isArray(types) || !types.every(each => typeof each === 'string')) {
    throw new Error('its "allowed_dcc" is no list of host types');
  }
  return { subject: sub, allowed: new Set(types.map(each => each.toLowerCase())), expires: exp * 1000 };
}

function verified(token: string, key: RelayKey, options: JWTVerifyOptions): Promise<{ payload: JWTPayload }> {
  if (key.kind === 'set') return jwtVerify(token, createLocalJWKSet(key.set), options);
  return jwtVerify(token, key.kind === 'secret' ? key.secret : key.key, options);
}

export interface TokenInput {
  keyFile: string;
  subject: string;
  /** Host types; none means all. */
  allowed: readonly string[];
  days: number;
  issuer: string | null;
}

/** A new token, signed with the relay's secret. */
export async function issueToken({ keyFile, subject, allowed, days, issuer }: TokenInput): Promise<string> {
  const key = await readKey(keyFile);
  if (key.kind !== 'secret') {
    const reason = 'tokens are made by whoever has its private half';
    throw relayErrors.KEY_INVALID({ path: keyFile, reason });
  }
  const token = new SignJWT({ allowed_dcc: [...allowed] })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000 + days * 86_400));
  if (issuer !== null) token.setIssuer(issuer);
  return token.sign(key.secret);
}
