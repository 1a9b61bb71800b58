/** The bearer tokens that are known: their digests, compared in constant time, and what each is good for. */
import { hash, timingSafeEqual } from 'node:crypto';
import { digestOf, type Scope, type TokenEntry } from '../../schemas/tokens.ts';
import type { Caller } from './api.ts';
import { guardErrors } from './errors.ts';

interface Known {
  readonly digest: Buffer;
  readonly caller: Caller;
}

export type Tokens = ReturnType<typeof createTokens>;

/** Throws SVC_GUARD_TOKEN_ENTRY, which names the entry and tells nothing of its token. */
export function createTokens(entries: readonly TokenEntry[]) {
  // By the beginning of the digest, which tells nobody anything of the token.
  const known = new Map<number, Known[]>();
  for (const entry of entries) {
    const digest = Buffer.from(digestIn(entry), 'hex');
    const beginning = digest.readUInt32LE();
    known.set(beginning, [...(known.get(beginning) ?? []), { digest, caller: callerOf(entry) }]);
  }
  return {
    size: entries.length,
    find(token: string): Caller | undefined {
      const given = hash('sha256', token, 'buffer');
      return known.get(given.readUInt32LE())?.find(({ digest }) => timingSafeEqual(digest, given))?.caller;
    },
  };
}

function digestIn({ label, token, sha256 }: TokenEntry): string {
  if ((token === undefined) === (sha256 === undefined)) {
    throw guardErrors.TOKEN_ENTRY({ label, reason: 'give either "token" or "sha256"' });
  }
  return token === undefined ? String(sha256) : digestOf(token);
}

const implied: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read'],
  call: ['call', 'read'],
  register: ['register'],
  admin: ['admin', 'register', 'call', 'read'],
};

/** With all that a scope includes. */
export const allOf = (scopes: readonly Scope[]): ReadonlySet<Scope> => new Set(scopes.flatMap(each => implied[each]));

/** Who names host types has a token for them to register with, and for more only where it says so. */
export function callerOf(
  { label, scopes = [], allowed_dcc }: Pick<TokenEntry, 'label' | 'scopes' | 'allowed_dcc'>,
  id = `token:${label}`,
): Caller {
  const granted: readonly Scope[] =
    scopes.length > 0 || allowed_dcc
      ? [...scopes, ...(allowed_dcc ? (['register'] as const) : [])]
      : ['call', 'register'];
  return {
    ...{ id, label },
    scopes: allOf(granted),
    allowedDcc: allowed_dcc && new Set(allowed_dcc.map(each => each.toLowerCase())),
  };
}

/** The token of an `Authorization` header; undefined where it has none. */
export function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length < 8) return undefined;
  if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  const token = authorization.slice(7).trim();
  return token === '' || token.includes(' ') ? undefined : token;
}
