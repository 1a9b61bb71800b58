/** Settings of the life of the gateway daemon. */
import { type Static, Type } from 'typebox';
import { count, shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  gateway_host: shared.gateway_host,
  gateway_port: shared.gateway_port,
  gateway_http_body_limit_bytes: count(
    16777216,
    'largest request body that the gateway takes, in place of max_request_body_bytes; beyond it 413',
    1024,
  ),
  gateway_persist: shared.gateway_persist,
  gateway_idle_timeout_secs: shared.gateway_idle_timeout_secs,
  heartbeat_secs: shared.heartbeat_secs,
  adapter_version: shared.adapter_version,
  dcc_type: shared.dcc_type,
  gateway_name: shared.gateway_name,
  gateway_plugins: Type.Record(
    Type.String(),
    Type.Union([Type.Boolean(), Type.Record(Type.String(), Type.Unknown())]),
    { default: {}, description: 'as `plugins`, of the gateway: which of its plugins are off, and what is added to it' },
  ),
});

export type Settings = Static<typeof settings>;
