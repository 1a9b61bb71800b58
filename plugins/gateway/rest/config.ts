/** Settings of the REST routes of the gateway. */
import { type Static, Type } from 'typebox';
import { shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  response_format: Type.Enum(['toon', 'json'], {
    default: 'toon',
    description: 'encoding of REST answers for clients that name none, where gateway_response_format is not set',
  }),
  gateway_response_format: Type.Union([Type.Enum(['toon', 'json']), Type.Null()], {
    default: null,
    description: 'the same for the gateway alone',
  }),
  gateway_persist: shared.gateway_persist,
  gateway_idle_timeout_secs: shared.gateway_idle_timeout_secs,
});

export type Settings = Static<typeof settings>;
