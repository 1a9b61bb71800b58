/** The four tools that the gateway lists, and the older names that it answers to (specification: Gateway MCP tools). */
import {
  CallRequestSchema,
  DescribeRequestSchema,
  LoadSkillRequestSchema,
  SearchRequestSchema,
} from '../../schemas/gateway.ts';

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
      'When to use: first, to learn which tool does what you want and its tool_slug. ' +
      'How to use: say the wish in two to five English words of the trade ("stabilize footage", not the sentence of the ' +
      'user), other wordings in or_queries; narrow by dcc_type; then send the next_step of a hit as it stands. ' +
      'kind "skill" or "all" also finds skills.',
    inputSchema: SearchRequestSchema,
    annotations: reads,
  },
  {
    name: 'describe',
    title: 'Describe',
    description:
      'Gives the schema, annotations and place of one tool, or the guidance of one skill. ' +
      'When to use: before a call, to learn the arguments. ' +
      'How to use: pass the tool_slug of a search hit, or a skill_name; nothing is executed.',
    inputSchema: DescribeRequestSchema,
    annotations: reads,
  },
  {
    name: 'load_skill',
    title: 'Load skill',
    description:
      'Loads a skill in the application that has it, or activates or deactivates a tool group. ' +
      'When to use: a search hit says load_state "unloaded" or disabled_by_group. ' +
      'How to use: send the next_step of the hit as it stands; the answer lists new_tool_slugs.',
    inputSchema: LoadSkillRequestSchema,
    annotations: { ...changes, destructiveHint: false },
  },
  {
    name: 'call',
    title: 'Call',
    description:
      'Calls one tool of one application, or several in order. ' +
      'When to use: you have a tool_slug from search and know its arguments from describe. ' +
      'How to use: pass tool_slug and arguments, or calls with at most 25 of them. ' +
      'A receipt with a job_id means that the work goes on: poll it, do not send it again.',
    inputSchema: CallRequestSchema,
    annotations: { ...changes, destructiveHint: true },
  },
];

const aliases: Readonly<Record<string, ToolName>> = {
  search: 'search',
  describe: 'describe',
  load_skill: 'load_skill',
  call: 'call',
  search_tools: 'search',
  describe_tool: 'describe',
  call_tool: 'call',
  call_tools: 'call',
};

/** The tool of a name, also of an older one. */
export const toolNamed = (name: string): ToolName | undefined =>
  Object.hasOwn(aliases, name) ? aliases[name] : undefined;

/** An entry of tools/list; titles exist from revision 2025-06-18. */
export function toolEntries(protocolVersion: string): unknown[] {
  const titled = protocolVersion >= '2025-06-18';
  return gatewayTools.map(({ title, ...rest }) => (titled ? { ...rest, title } : rest));
}
