/** Settings of the REST routes of the gateway. */
import { type Static, Type } from 'typebox';
import { shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  response_format: shared.response_format,
  gateway_response_format: shared.gateway_response_format,
  gateway_persist: shared.gateway_persist,
  gateway_idle_timeout_secs: shared.gateway_idle_timeout_secs,
});

export type Settings = Static<typeof settings>;
