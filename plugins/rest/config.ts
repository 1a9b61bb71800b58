/** Settings of the REST routes of an instance. */
import { type Static, Type } from 'typebox';
import { shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  rest_tokens: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'bearer tokens for the REST routes of this server; none means that only peers of its machine may',
  }),
  dcc_type: shared.dcc_type,
});

export type Settings = Static<typeof settings>;
