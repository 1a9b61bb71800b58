/** Rules of "Built-in tools of every server" and of lazy-actions mode. */
import { decided, section } from '../requirement.ts';

const builtins = section('builtin', 'Built-in tools of every server', {
  search_skills:
    'search_skills ranks discovered skills by keywords in name, description, search hint, tags and tool names.',
  list_skills: 'list_skills returns a bounded page of skills with their load status.',
  get_skill_info: 'get_skill_info returns the metadata and the input schemas of the skill named by skill_name.',
  load_skill: 'load_skill loads the skill named by skill_name and sends tools/list_changed.',
  'load_skill-several': 'load_skill loads one or more skills.',
  unload_skill: 'unload_skill unloads a skill and sends tools/list_changed.',
  'group-tools': 'activate_tool_group and deactivate_tool_group expand and collapse a group stub.',
  search_tools: 'search_tools searches active tools and unloaded skill candidates.',
  'search_tools-words': 'Each word of two or more characters must be a substring of the name or description.',
  'search_tools-exact': decided('Ranking is ours.', 'A tool whose name equals the query comes first.'),
  list_roots: 'list_roots returns the roots that the client advertised.',
  'always-listed': 'Every built-in is in tools/list, whatever skills are loaded.',
  'three-layers': 'A description has a one-sentence summary, a "When to use:" part and a "How to use:" part.',
  'list_skills-limit': 'limit defaults to 25, is clamped to 50, and 0 counts as unset.',
  'list_skills-offset': 'offset skips rows after sorting by name, and defaults to 0.',
  'list_skills-status': 'status is all, loaded, unloaded, skipped or error, and defaults to all.',
  'list_skills-skipped': 'include_skipped adds rejected packages with reason codes and suggested fixes.',
  'list_skills-fields': 'fields is a strict allow-list of columns.',
  'list_skills-compact':
    'Without fields a row has name, dcc, summary, tool_count, status, loaded, and stage and missing_dependencies if set.',
  'list_skills-response': 'The response has skills, total of the whole catalogue, truncated and next_step.',
  'list_skills-next_offset': 'next_offset is present only when the page is truncated.',
  'list_skills-optional': 'Columns without a value are left out of the row.',
  'input-schemas': decided(
    'See shape:builtin-inputs.',
    'Every built-in publishes an input schema with its parameters.',
  ),
});

const lazy = section('lazy', 'Lazy-actions mode', {
  'three-tools': 'Lazy-actions mode exposes exactly list_actions, describe_action and call_action.',
  list_actions: 'list_actions returns id, summary and tags of each action, without schemas.',
  'list_actions-dcc': 'list_actions filters by dcc.',
  describe_action: 'describe_action returns the full input schema of an id.',
  call_action: 'call_action runs id with args on the same path as tools/call.',
});

export const tools = [...builtins, ...lazy];
