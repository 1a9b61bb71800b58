/** Settings of feedback at the gateway. */
import { type Static, Type } from 'typebox';
import { shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  admin_enabled: shared.admin_enabled,
  admin_path: shared.admin_path,
});

export type Settings = Static<typeof settings>;
