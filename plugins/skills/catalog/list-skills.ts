/** One bounded page of skills (specification: list_skills arguments and response). */
import { type Static, Type } from 'typebox';
import { cautionFor } from '../../../schemas/suspect-text.ts';
import type { SkippedSkill } from '../packages/rejection.ts';
import { oneLine, type SkillDiagnostic, type SkillSummary } from './summaries.ts';

const listLimits = { page: 25, max: 50 };

export const allColumns = [
  ...(['name', 'dcc', 'summary', 'tool_count', 'status', 'loaded', 'stage', 'missing_dependencies'] as const),
  ...(['warnings', 'flags', 'scope', 'fingerprint'] as const),
  ...(['version', 'layer', 'description', 'search_hint', 'tags', 'tool_names', 'implicit_invocation'] as const),
  ...(['runtime', 'runtime_state', 'error'] as const),
];
type Column = (typeof allColumns)[number];

/** A summary with what only this list tells. */
export interface ListedSkill extends SkillSummary {
  implicit_invocation: boolean;
  runtime?: string;
  runtime_state?: string;
  error?: SkillDiagnostic;
  /** What of its package is ignored or missing. */
  warnings?: readonly string[];
}

/** Columns of a call without `fields`. */
const compactColumns = allColumns.slice(0, allColumns.indexOf('scope'));

export const ListSkillsInputSchema = Type.Object(
  {
    status: Type.Optional(
      Type.Enum(['all', 'loaded', 'unloaded', 'skipped', 'error'], {
        default: 'all',
        description: 'Which skills; skipped lists rejected packages.',
      }),
    ),
    include_skipped: Type.Optional(
      Type.Boolean({ default: false, description: 'Also list rejected packages with reasons and fixes.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: listLimits.page,
        description: 'Page size, at most 50; 0 means the default.',
      }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Rows to skip.' })),
    fields: Type.Optional(
      Type.Array(Type.Enum(allColumns), { description: 'Columns to return instead of the compact set.' }),
    ),
  },
  { additionalProperties: false },
);

export type ListSkillsInput = Static<typeof ListSkillsInputSchema>;

/** `detail` adds to the rows of the page what costs a look at the machine, of the columns that are wanted. */
export async function listSkills(
  input: ListSkillsInput,
  skills: readonly ListedSkill[],
  skipped: readonly SkippedSkill[],
  detail: (row: ListedSkill, columns: ReadonlySet<Column>) => Promise<ListedSkill>,
): Promise<Record<string, unknown>> {
  const { status = 'all', include_skipped = false, offset = 0, fields } = input;
  const limit = Math.min(input.limit || listLimits.page, listLimits.max);
  const chosen = fields && fields.length > 0 ? fields : compactColumns;
  const wanted = new Set(chosen);
  const rows = status === 'skipped' ? [] : skills.filter(each => matches(each, status)).sort(byNameAndType);
  const refused = [...skipped].sort((a, b) => compare(a.skill_name, b.skill_name));

  const truncated = offset + limit < (status === 'skipped' ? refused.length : rows.length);
  const page = <T>(list: readonly T[]): T[] => list.slice(offset, offset + limit);
  const shown = await Promise.all(page(rows).map(each => detail(each, wanted)));
  return {
    skills: shown.map(each => pick(each, chosen)),
    ...cautionFor(shown),
    // Of the whole catalogue, whatever the filter.
    total: skills.length,
    limit,
    offset,
    truncated,
    ...(truncated && { next_offset: offset + limit }),
    ...((include_skipped || status === 'skipped') && {
      skipped_count: refused.length,
      skipped: status === 'skipped' ? page(refused) : refused.slice(0, listLimits.max),
    }),
    next_step: nextStep(status, truncated, offset + limit),
  };
}

function nextStep(status: string, truncated: boolean, next: number): string {
  if (truncated) return `Call list_skills with offset=${next} for the next page, or search_skills with a query.`;
  if (status === 'skipped')
    return 'Apply the suggested_fix of a package; it is listed again once its files are correct.';
  return 'Call get_skill_info with a skill_name for its tools, then load_skill to make them callable.';
}

function matches(each: SkillSummary, status: string): boolean {
  if (status === 'loaded') return each.loaded;
  if (status === 'unloaded') return !each.loaded;
  return status !== 'error' || each.status === 'error';
}

/** Columns without a value are left out. */
function pick(each: ListedSkill, chosen: readonly Column[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const column of chosen) {
    const value = cellOf(each, column);
    if (value !== undefined) row[column] = value;
  }
  return row;
}

function cellOf(each: ListedSkill, column: Column): unknown {
  if (column === 'summary') return oneLine(each.description);
  return column === 'tool_names' ? each.tool_names.join(', ') : each[column];
}

const byNameAndType = (a: SkillSummary, b: SkillSummary): number => compare(a.name, b.name) || compare(a.dcc, b.dcc);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
