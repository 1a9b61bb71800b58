/** Settings of the own row in the registry. */
import { type Static, Type } from 'typebox';
import { InstanceRowSchema } from '../../../schemas/instance.ts';
import { optionalText, shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  gateway_port: shared.gateway_port,
  heartbeat_secs: shared.heartbeat_secs,
  dcc_type: shared.dcc_type,
  dcc_version: shared.dcc_version,
  scene: optionalText('open scene file, used for gateway routing'),
  adapter_version: shared.adapter_version,
  instance_id: Type.Union([Type.Null(), InstanceRowSchema.properties.instance_id], {
    default: null,
    description: 'UUID of the instance, as of one that comes back in the place of another; default: a new one',
  }),
  adapter_dcc: optionalText('host type that the adapter was made for, reported to the registry'),
});

export type Settings = Static<typeof settings>;
