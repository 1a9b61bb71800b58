/** Settings of the own row in the registry. */
import { type Static, Type } from 'typebox';
import { optionalText, shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  gateway_port: shared.gateway_port,
  heartbeat_secs: shared.heartbeat_secs,
  dcc_type: shared.dcc_type,
  dcc_version: shared.dcc_version,
  scene: optionalText('open scene file, used for gateway routing'),
  adapter_version: shared.adapter_version,
  adapter_dcc: optionalText('host type that the adapter was made for, reported to the registry'),
});

export type Settings = Static<typeof settings>;
