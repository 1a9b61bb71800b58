/** Settings of the gateway: its address, its policy. */
import { type Static, Type } from 'typebox';
import { count, flag, shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  response_format: shared.response_format,
  gateway_response_format: shared.gateway_response_format,
  admin_enabled: shared.admin_enabled,
  admin_path: shared.admin_path,
  gateway_read_only: flag(false, 'the gateway loads no skills and calls only tools that say that they only read'),
  gateway_allowed_dcc_types: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'host types that the gateway serves; none means all',
  }),
  gateway_allowed_skills: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'skills whose tools the gateway serves; none means all',
  }),
  gateway_allowed_tools: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'tools that the gateway serves, by slug or name; none means all',
  }),
  gateway_wait_timeout_ms: count(600000, 'longest wait of one call for the end of its background job', 1, 2147483647),
});

export type Settings = Static<typeof settings>;
