/** Settings of instances behind relays. */
import { type Static, Type } from 'typebox';
import { optionalPath } from '../../../../schemas/settings.ts';

export const settings = Type.Object({
  gateway_relay_token_file: optionalPath('file with the token by which relays show their tunnels; read at each poll'),
  gateway_relay_sources: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'relays whose tunnels are instances, each ADMIN=PUBLIC',
  }),
});

export type Settings = Static<typeof settings>;
