/** The four tools that the gateway lists, and the older names that it answers to (specification: Gateway MCP tools). */
import {
  CallRequestSchema,
  DescribeRequestSchema,
  LeaseRequestSchema,
  LoadSkillRequestSchema,
  SearchRequestSchema,
  UnloadSkillRequestSchema,
} from '../../schemas/gateway.ts';
import type { Json } from '../../schemas/loose.ts';
import type { InputSchema } from './tool-input.ts';

export type ToolName = 'search' | 'describe' | 'load_skill' | 'call';

interface Definition {
  name: ToolName;
  title: string;
  description: string;
  inputSchema: unknown;
  annotations: Readonly<Record<string, boolean>>;
}

const reads = { readOnlyHint: true, openWorldHint: true };
const changes = { readOnlyHint: false, idempotentHint: false, openWorldHint: true };

export const gatewayTools: readonly Definition[] = [
  {
    name: 'search',
    title: 'Search',
    description:
      'Finds tools and skills of every running application. ' +
      'When to use: first, to learn which tool does what you want. ' +
      'How to use: say it in two to five English words of the trade ("stabilize footage", not the sentence of the ' +
      'user), then do the next_step of a row; kind "skill" or "all" finds skills.',
    inputSchema: SearchRequestSchema,
    annotations: reads,
  },
  {
    name: 'describe',
    title: 'Describe',
    description:
      'Gives the arguments of one tool, or the guidance of one skill. ' +
      'When to use: before a call. ' +
      'How to use: pass a tool_slug, or a skill_name; nothing is executed.',
    inputSchema: DescribeRequestSchema,
    annotations: reads,
  },
  {
    name: 'load_skill',
    title: 'Load skill',
    description:
      'Loads what a tool needs, a skill, or switches a tool group. ' +
      'When to use: next_step says so. ' +
      'How to use: pass the tool_slug; the answer has its arguments.',
    inputSchema: LoadSkillRequestSchema,
    annotations: { ...changes, destructiveHint: false },
  },
  {
    name: 'call',
    title: 'Call',
    description:
      'Calls one tool, or several in order. ' +
      'When to use: you know its arguments. ' +
      'How to use: pass tool_slug and arguments, or calls with at most 25 of them; ' +
      'a receipt with a job_id means that the work goes on, so do its next_step and do not send it again.',
    inputSchema: CallRequestSchema,
    annotations: { ...changes, destructiveHint: true },
  },
];

/** What a name that is called means: an operation, the schema of its arguments, and how older names spell those. */
export interface Operation {
  tool: ToolName | 'unload_skill' | 'lease';
  inputSchema: InputSchema;
  /** The arguments in the spelling of `inputSchema`. */
  spelled?(args: Json): Json;
}

const operation = (tool: ToolName, spelled?: Operation['spelled']): Operation => ({
  tool,
  inputSchema: gatewayTools.find(each => each.name === tool)?.inputSchema as InputSchema,
  ...(spelled && { spelled }),
});

const ofGroup = (group_action: 'activate' | 'deactivate') =>
  operation('load_skill', ({ group_name, group, ...args }) => ({
    ...args,
    ...((group_name ?? group) !== undefined && { tool_group: group_name ?? group }),
    group_action,
  }));

const leasing = (action?: 'acquire' | 'release'): Operation => ({
  tool: 'lease',
  inputSchema: LeaseRequestSchema,
  ...(action && { spelled: args => ({ ...args, action }) }),
});

/** The four, and beside them what is answered and not listed: older names, and those of the instances' skill tools. */
const operations: ReadonlyMap<string, Operation> = new Map([
  ...gatewayTools.map(({ name }) => [name, operation(name)] as const),
  ['search_tools', operation('search')],
  ['describe_tool', operation('describe')],
  ['call_tool', operation('call')],
  ['call_tools', operation('call')],
  ['list_skills', operation('search', ({ query: _, ...args }) => ({ ...args, kind: 'skill' }))],
  ['search_skills', operation('search', args => ({ ...args, kind: 'skill' }))],
  ['get_skill_info', operation('describe', ({ tool_slug: _, ...args }) => args)],
  ['unload_skill', { tool: 'unload_skill', inputSchema: UnloadSkillRequestSchema }],
  ['lease', leasing()],
  ['acquire_dcc_instance', leasing('acquire')],
  ['release_dcc_instance', leasing('release')],
  ['activate_tool_group', ofGroup('activate')],
  ['deactivate_tool_group', ofGroup('deactivate')],
]);

/** What a name means; undefined for a name that the gateway does not answer to. */
export const operationNamed = (name: string): Operation | undefined => operations.get(name);

/** An entry of tools/list; titles exist from revision 2025-06-18. */
export function toolEntries(protocolVersion: string): unknown[] {
  const titled = protocolVersion >= '2025-06-18';
  return gatewayTools.map(({ title, ...rest }) => (titled ? { ...rest, title } : rest));
}
