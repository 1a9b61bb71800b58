/** Settings of tools: their names, their listing. */
import { type Static, Type } from 'typebox';
import { count, flag, shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  lazy_actions: flag(false, 'expose only the three meta-tools instead of every tool'),
  bare_tool_names: flag(true, 'publish unique action names without the `<skill>__` prefix'),
  enable_tool_cache: flag(true, 'per-session cache of the tools/list result'),
  tools_page_size: count(32, 'tools per tools/list page', 1, 10000),
  max_result_bytes: shared.max_result_bytes,
  dcc_type: shared.dcc_type,
});

export type Settings = Static<typeof settings>;
