/** Bearer tokens as people write them down, and what is kept of one: its SHA-256. Pure. */
import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';

/** What a caller may do: look, call tools, register instances of other machines, administer. */
export const scopes = ['read', 'call', 'register', 'admin'] as const;
export type Scope = (typeof scopes)[number];

export const TokenEntrySchema = Type.Object(
  {
    label: Type.String({ minLength: 1, maxLength: 100, description: 'whose it is: what logs and audits say' }),
    token: Type.Optional(
      Type.String({
        minLength: 16,
        pattern: '^\\S+$',
        description: 'the bearer token; `sha256` in its place is safer',
      }),
    ),
    sha256: Type.Optional(
      Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'the SHA-256 of the token, in hexadecimal digits' }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.Enum([...scopes]), {
        description: 'what it is good for (default: read, call and register; only register where allowed_dcc is given)',
      }),
    ),
    allowed_dcc: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: 'host types it may register; none means all',
      }),
    ),
  },
  { additionalProperties: false },
);

export type TokenEntry = Static<typeof TokenEntrySchema>;

export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** An entry as it may be written to a file: the token itself is not in it. */
export function hashed({ token, ...entry }: TokenEntry): TokenEntry {
  return token === undefined ? entry : { ...entry, sha256: digestOf(token) };
}
