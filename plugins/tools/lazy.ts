/** Lazy-actions mode: three tools stand for all (shape:lazy). */
import { builtin, parameters, reads } from '../../schemas/builtin-tool.ts';
import type { CallInput, ToolEntry } from './api.ts';
import { oneLine, shapeOf, toolEntry } from './entry.ts';
import { toolErrors } from './errors.ts';
import { lazyTools } from './listing.ts';
import { type Known, notFoundHint } from './suggest.ts';
import type { ToolTable } from './tool-table.ts';

const listActions = builtin(
  'list_actions',
  'List actions',
  [
    'Lists every action in short: id, summary and tags, without schemas.',
    'When to use: first, to learn what this server can do.',
    'How to use: narrow the list with dcc or skill, then call describe_action with an id.',
  ],
  parameters({
    dcc: { type: 'string', description: 'Only actions for this host type.' },
    skill: { type: 'string', description: 'Only actions of this skill.' },
  }),
);

const describeAction = builtin(
  'describe_action',
  'Describe action',
  [
    'Shows one action in full: its description, input schema and annotations.',
    'When to use: before the first call_action of an action.',
    'How to use: pass the id that list_actions gave.',
  ],
  parameters({ id: { type: 'string', description: 'Id of the action, from list_actions.' } }, ['id']),
);

const callAction = builtin(
  'call_action',
  'Call action',
  [
    'Calls one action and returns its result.',
    'When to use: describe_action told you which arguments the action takes.',
    'How to use: pass the id and the arguments as args; errors name the argument that is wrong.',
  ],
  parameters(
    {
      id: { type: 'string', description: 'Id of the action, from list_actions.' },
      args: { type: 'object', description: 'Arguments as describe_action shows them.', default: {} },
    },
    ['id'],
  ),
  { ...reads, read_only_hint: false, destructive_hint: true, idempotent_hint: false },
);

/** The three tools; calls of call_action are forwarded with `forwardedCall` and never reach a handler of their own. */
export function lazyEntries(known: Known & { table: ToolTable }, dccType: string | null): ToolEntry[] {
  const { table } = known;
  const actions = () =>
    table.list().filter(({ group, record }) => group?.active !== false && !lazyTools.includes(record.name));

  return [
    {
      definition: listActions,
      handler: ({ dcc, skill }) => {
        const found = actions().filter(
          ({ record }) =>
            (dcc === undefined || (record.dcc || dccType || '').toLowerCase() === String(dcc).toLowerCase()) &&
            (skill === undefined || record.skill_name === skill),
        );
        return {
          total: found.length,
          actions: found.map(({ record }) => ({
            id: record.name,
            summary: summaryOf(record.description),
            tags: record.tags,
          })),
        };
      },
    },
    {
      definition: describeAction,
      handler: ({ id }, call) => {
        const tool = table.resolve(String(id));
        if (!tool) throw toolErrors.NOT_FOUND({ tool: String(id).slice(0, 80), hint: notFoundHint(String(id), known) });
        return toolEntry(tool.record, shapeOf(call.rpc?.protocolVersion ?? '2025-11-25'), tool.record.output_schema);
      },
    },
    { definition: callAction, handler: () => undefined },
  ];
}

/** The call that a validated call_action stands for. */
export function forwardedCall(args: Record<string, unknown>): Pick<CallInput, 'name' | 'args'> {
  if (args.id === 'call_action') {
    const problems = [{ field: 'id', message: '"id" must name an action, not call_action itself' }];
    throw toolErrors.INVALID_ARGUMENTS({ tool: 'call_action', reason: problems[0]?.message, problems });
  }
  return { name: args.id as string, args: (args.args ?? {}) as Record<string, unknown> };
}

function summaryOf(description: string): string {
  const line = oneLine(description);
  return line.match(/^.*?[.!?](?=\s|$)/)?.[0] ?? line;
}
