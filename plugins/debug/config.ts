/** Settings that the reads take their addresses from. */
import { type Static, Type } from 'typebox';
import { shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  admin_enabled: shared.admin_enabled,
  admin_path: shared.admin_path,
  response_format: shared.response_format,
  gateway_response_format: shared.gateway_response_format,
  gateway_name: shared.gateway_name,
});

export type Settings = Static<typeof settings>;
