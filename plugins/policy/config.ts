/** Settings of the policy. */
import { type Static, Type } from 'typebox';
import { optionalPath } from '../../schemas/settings.ts';

export const settings = Type.Object({
  policy_file: optionalPath(
    'file of rules that say which tools may be called and which skills loaded; its edits are followed',
  ),
});

export type Settings = Static<typeof settings>;
