/** Settings of resources: their pages, sizes and updates. */
import { type Static, Type } from 'typebox';
import { count, shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  enable_resources: shared.enable_resources,
  resources_page_size: shared.resources_page_size,
  resource_update_interval_ms: count(20, 'least time between two rounds of resource update notifications', 0, 60000),
  max_resource_bytes: count(8388608, 'largest content of one resource read, as text or base64', 1024),
  max_session_subscriptions: count(1000, 'resources that one session may follow', 1),
});

export type Settings = Static<typeof settings>;
