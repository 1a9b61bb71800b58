/** Settings of the admin page. */
import { type Static, Type } from 'typebox';
import { shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  admin_enabled: shared.admin_enabled,
  admin_path: shared.admin_path,
  sse_heartbeat_secs: shared.sse_heartbeat_secs,
});

export type Settings = Static<typeof settings>;
