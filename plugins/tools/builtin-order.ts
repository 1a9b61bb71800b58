/** Order of the built-in tools in every list: that of the specification's table, then the rest by name. */

export const builtinOrder: readonly string[] = [
  'search_skills',
  'list_skills',
  'get_skill_info',
  'load_skill',
  'unload_skill',
  'activate_tool_group',
  'deactivate_tool_group',
  'search_tools',
  'list_roots',
  'jobs_get_status',
  'jobs_cleanup',
  'jobs_poll_contract',
  'jobs_cancel',
  'list_actions',
  'describe_action',
  'call_action',
];

const ranks = new Map(builtinOrder.map((name, rank) => [name, rank]));

/** Sorts built-ins first in their fixed order, then every other tool by published name. */
export function compareTools(
  a: { readonly name: string; readonly source: string },
  b: { readonly name: string; readonly source: string },
): number {
  return rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

function rankOf({ name, source }: { readonly name: string; readonly source: string }): number {
  return source === 'builtin' ? (ranks.get(name) ?? builtinOrder.length) : builtinOrder.length + 1;
}
