/** Settings of calls into the host's main thread. */
import { Type } from 'typebox';
import { count } from '../../schemas/settings.ts';

export const settings = Type.Object({
  host_queue_max: count(1024, 'most calls waiting for the host main thread', 1),
  host_slice_ms: count(4, 'time the host main thread gives to queued calls per tick', 1, 1000),
});
