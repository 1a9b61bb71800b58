/** Settings of the traffic capture. What is captured, and where to, stands in a file of its own. */
import { type Static, Type } from 'typebox';
import { count, flag, optionalPath, optionalText, shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  traffic_capture: optionalText('captures the tool calls that pass the gateway into a file: jsonl:<path>'),
  traffic_config: optionalPath('file that says what of the tool calls is captured, and where to; read at start'),
  prod_profile: flag(false, 'this is production: capturing traffic is refused'),
  force_traffic_capture: flag(false, 'traffic is captured in production, too'),
  traffic_flush_ms: count(2000, 'how long a shutdown waits for captured traffic that is not written yet'),
  admin_enabled: shared.admin_enabled,
  admin_path: shared.admin_path,
});

export type Settings = Static<typeof settings>;
