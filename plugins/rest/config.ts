/** Settings of the REST routes of an instance. */
import { type Static, Type } from 'typebox';
import { shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  dcc_type: shared.dcc_type,
});

export type Settings = Static<typeof settings>;
