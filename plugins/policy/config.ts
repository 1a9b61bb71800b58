/** Settings of the policy. */
import { type Static, Type } from 'typebox';
import { optionalText } from '../../schemas/settings.ts';

export const settings = Type.Object({
  policy_file: optionalText('file of rules that say which tools may be called and which skills loaded; read at start'),
});

export type Settings = Static<typeof settings>;
