/** Settings of finding instances by mDNS. */
import { type Static, Type } from 'typebox';
import { flag } from '../../../../schemas/settings.ts';

export const settings = Type.Object({
  gateway_discover_mdns: flag(false, 'find instances of the local network by mDNS'),
});

export type Settings = Static<typeof settings>;
