/** Settings of finding, launching and guarding the gateway. */
import { type Static, Type } from 'typebox';
import { count, flag, seconds, shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  gateway_port: shared.gateway_port,
  gateway_host: shared.gateway_host,
  gateway_name: shared.gateway_name,
  admin_enabled: shared.admin_enabled,
  admin_path: shared.admin_path,
  ensure_gateway: flag(true, 'launch and guard the gateway daemon; off, only the registry row is published'),
  legacy_gateway_election: flag(
    false,
    'serve the gateway in the first server that binds gateway_port, without a daemon',
  ),
  gateway_guardian_interval: seconds(
    5,
    'seconds between health probes of the gateway; a refused one is repeated after a fifth of it',
  ),
  gateway_guardian_timeout: seconds(0.5, 'seconds that one health probe of the gateway may take'),
  gateway_guardian_failures: count(2, 'consecutive failed probes before the gateway is ensured again', 1),
  gateway_launch_lock_stale_secs: count(30, 'age after which the launch lock of another launcher is reclaimed', 1),
  gateway_ensure_timeout_secs: seconds(15, 'how long a launched gateway may take to answer'),
  gateway_persist: shared.gateway_persist,
  gateway_idle_timeout_secs: shared.gateway_idle_timeout_secs,
  stale_timeout_secs: shared.stale_timeout_secs,
  adapter_version: shared.adapter_version,
  dcc_type: shared.dcc_type,
});

export type Settings = Static<typeof settings>;
