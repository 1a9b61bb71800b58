/** Settings of who may use the server, and how much of it one caller may have. */
import { type Static, Type } from 'typebox';
import { optionalPath } from '../../schemas/settings.ts';
import { TokenEntrySchema } from '../../schemas/tokens.ts';

export const settings = Type.Object({
  auth_tokens: Type.Array(TokenEntrySchema, {
    default: [],
    description:
      'bearer tokens of callers: label, token or its sha256, scopes (read, call, register, admin), allowed_dcc; with ' +
      'none and no other way to authenticate, who reaches the address may do all',
  }),
  auth_tokens_file: optionalPath('file with more of them, read again when it changes: a list as in auth_tokens'),
});

export type Settings = Static<typeof settings>;
