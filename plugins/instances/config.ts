/** Settings of the directory of instances. */
import { type Static, Type } from 'typebox';
import { shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  stale_timeout_secs: shared.stale_timeout_secs,
  heartbeat_secs: shared.heartbeat_secs,
  gateway_remote_host: shared.gateway_remote_host,
  gateway_remote_port: shared.gateway_remote_port,
});

export type Settings = Static<typeof settings>;
