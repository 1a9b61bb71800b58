/** Settings of being found by mDNS. */
import { type Static, Type } from 'typebox';
import { flag, shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  advertise_mdns: flag(false, 'advertise this server on the local network by mDNS'),
  dcc_type: shared.dcc_type,
  dcc_version: shared.dcc_version,
  adapter_version: shared.adapter_version,
});

export type Settings = Static<typeof settings>;
