/** Settings of the directory of instances. */
import { type Static, Type } from 'typebox';
import { count, shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  stale_timeout_secs: shared.stale_timeout_secs,
  heartbeat_secs: shared.heartbeat_secs,
  gateway_remote_host: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'address of the second listener',
  }),
  gateway_remote_port: count(0, 'port of a second listener of the gateway, for tunnels; 0 opens none', 0, 65535),
});

export type Settings = Static<typeof settings>;
