/** The built-in tools of this plugin: search_tools, list_roots and the group switches (shape:builtin-inputs, shape:builtin-outputs). */
import { builtin, parameters, reads } from '../../schemas/builtin-tool.ts';
import type { ToolCall, ToolEntry, ToolsService } from './api.ts';
import type { SearchInput, SearchResult } from './search.ts';

const switches = { ...reads, read_only_hint: false };

const searchTools = builtin(
  'search_tools',
  'Search tools',
  [
    'Searches the active tools and the tools of skills that are not loaded yet.',
    'When to use: you know what you want to do but not which tool does it; tools/list shows one page only.',
    'How to use: pass one to three English words of the trade, not a sentence; every word of 2 or more characters must',
    'occur in the name or description, so fewer words find more.',
    'Call a hit from tools by its name; for a hit in skill_candidates call what its load_hint says first.',
  ],
  parameters(
    {
      query: { type: 'string', description: 'Words to find; each must occur in the tool name or description.' },
      dcc: { type: 'string', description: 'Only tools for this host type, for example "maya".' },
      include_disabled: { type: 'boolean', default: false, description: 'Also tools of inactive groups.' },
      include_unloaded_skills: { type: 'boolean', default: true, description: 'Also skills that are not loaded.' },
      include_stubs: { type: 'boolean', default: false, description: 'Also the __skill__ and __group__ stubs.' },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 25, description: 'Most entries of each list.' },
    },
    ['query'],
  ),
);

const listRoots = builtin(
  'list_roots',
  'List roots',
  [
    'Lists the root folders that the client opened to this session.',
    'When to use: before you read or write files, to learn where the user works.',
    'How to use: call it without arguments; supports_roots is false when the client offers none.',
  ],
  parameters({}),
);

const groupParameters = parameters({
  group_name: { type: 'string', description: 'Name of the group (required), without the __group__ prefix.' },
  group: { type: 'string', description: 'Another spelling of group_name.' },
  skill_name: { type: 'string', description: 'Only the group of this skill; without it, of every skill.' },
});

const activateGroup = builtin(
  'activate_tool_group',
  'Activate tool group',
  [
    'Activates a tool group, so that its tools are listed and can be called.',
    'When to use: tools/list shows a stub __group__<name>, or a call says that the group of a tool is inactive.',
    'How to use: pass group_name without the __group__ prefix, then list the tools again.',
  ],
  groupParameters,
  switches,
);

const deactivateGroup = builtin(
  'deactivate_tool_group',
  'Deactivate tool group',
  [
    'Deactivates a tool group, so that its tools collapse into one stub.',
    'When to use: you are done with a group and want a shorter tool list.',
    'How to use: pass group_name without the __group__ prefix; activate_tool_group brings the tools back.',
  ],
  groupParameters,
  switches,
);

export interface BuiltinDeps {
  service: Pick<ToolsService, 'activateGroup' | 'deactivateGroup' | 'missingArgument'>;
  search(input: SearchInput): SearchResult;
  requestTimeoutMs: number;
}

export function builtinTools({ service, search, requestTimeoutMs }: BuiltinDeps): ToolEntry[] {
  const switched =
    (tool: string, change: ToolsService['activateGroup']) =>
    (args: Record<string, unknown>): unknown => {
      const group = (args.group_name ?? args.group) as string | undefined;
      if (group === undefined) throw service.missingArgument(tool, 'group_name');
      return { success: true, group, ...change(group, args.skill_name as string | undefined) };
    };

  const roots = async (_args: unknown, call: ToolCall): Promise<unknown> => {
    if (!call.rpc?.clientCapabilities.roots) return { supports_roots: false, count: 0, roots: [] };
    const found = await call.roots({ timeoutMs: requestTimeoutMs });
    return { supports_roots: true, count: found.length, roots: found };
  };

  return [
    { definition: searchTools, handler: args => search(args as unknown as SearchInput) },
    { definition: listRoots, handler: roots },
    { definition: activateGroup, handler: switched('activate_tool_group', service.activateGroup) },
    { definition: deactivateGroup, handler: switched('deactivate_tool_group', service.deactivateGroup) },
  ];
}
