/** Reads the query of a read: bounded, and what is wrong is named. Pure. */
import type { Json } from '../../schemas/loose.ts';
import { matches } from '../../schemas/search-words.ts';
import type { AuditRow, RowQuery, TraceRow } from '../audit/records/api.ts';
import { debugErrors } from './errors.ts';

export interface Limits {
  standard: number;
  most: number;
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const longestText = 256;
/** Ask for an encoding, and are read elsewhere. */
const ofEncoding = ['response_format', 'responseFormat', 'format', 'output_format', 'compact'];
const exact = ['dcc_type', 'instance_id', 'session_id', 'agent_id', 'transport', 'trace_id'] as const;

export const listParameters = [
  ...['limit', 'cursor', 'range', 'since', 'until', 'search', 'tool', 'skill', 'success'],
  ...exact,
];

export const traceParameters = [...listParameters, 'order'];

export function onlyKnown(query: Json, known: readonly string[]): void {
  for (const [parameter, value] of Object.entries(query)) {
    if (ofEncoding.includes(parameter)) continue;
    const reason = known.length === 0 ? 'is no parameter of this read: it has none' : undefined;
    if (!known.includes(parameter)) {
      throw debugErrors.QUERY({
        parameter: parameter.slice(0, 80),
        reason: reason ?? `is no parameter of this read: use one of ${known.join(', ')}`,
      });
    }
    if (typeof value !== 'string') throw debugErrors.QUERY({ parameter, reason: 'is given twice' });
    if (value.length > longestText)
      throw debugErrors.QUERY({ parameter, reason: `is longer than ${longestText} characters` });
  }
}

export function limitOf({ limit }: Json, { standard, most }: Limits): number {
  if (limit === undefined) return standard;
  if (!/^\d{1,9}$/.test(String(limit)) || Number(limit) < 1 || Number(limit) > most) {
    throw debugErrors.QUERY({ parameter: 'limit', reason: `must be a whole number from 1 to ${most}` });
  }
  return Number(limit);
}

/** Of a text such as 30s, 15m, 24h or 7d. */
export function spanMs(parameter: string, text: string, also = ''): number {
  const [, count, unit = ''] = /^(\d{1,4})([smhd])$/.exec(text) ?? [];
  const span = Number(count) * (unitMs[unit] ?? 0);
  if (span > 0) return span;
  throw debugErrors.QUERY({ parameter, reason: `must be a span such as 15m, 24h or 7d${also}` });
}

/** Milliseconds since the epoch; `range` is 15m, 24h, 7d or all. */
export function spanOf({ range, since, until }: Json, now: number): { from: number; to: number; label: string } {
  const label = range === undefined ? 'all' : String(range);
  const from = label === 'all' ? Number.NEGATIVE_INFINITY : now - spanMs('range', label, ', or all');
  const bounds = { from: moment('since', since) ?? from, to: moment('until', until) ?? Number.POSITIVE_INFINITY };
  if (bounds.from > bounds.to) throw debugErrors.QUERY({ parameter: 'since', reason: 'is later than "until"' });
  return { ...bounds, label };
}

function moment(parameter: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d{4}-\d\d-\d\dT/.test(String(value)) ? Date.parse(String(value)) : Number.NaN;
  if (Number.isNaN(ms)) throw debugErrors.QUERY({ parameter, reason: 'must be a time such as 2026-01-31T12:00:00Z' });
  return ms;
}

/** How traces are asked for: the newest first, or the slowest of all that are meant, which are one page. */
export function isSlowestFirst({ order = 'newest', cursor }: Json): boolean {
  if (order !== 'newest' && order !== 'slowest') {
    throw debugErrors.QUERY({ parameter: 'order', reason: 'must be newest or slowest' });
  }
  if (order === 'slowest' && cursor !== undefined) {
    throw debugErrors.QUERY({
      parameter: 'cursor',
      reason: 'has no place here: the slowest are one page, raise "limit"',
    });
  }
  return order === 'slowest';
}

/** Which rows a query means; undefined for all of them. */
export function wantedRows(query: Json, now: number): RowQuery['wanted'] {
  const { from, to } = spanOf(query, now);
  const { tool, skill, success } = query;
  const search = String(query.search ?? '').trim();
  if (success !== undefined && success !== 'true' && success !== 'false') {
    throw debugErrors.QUERY({ parameter: 'success', reason: 'must be true or false' });
  }
  const equal = exact.filter(name => query[name] !== undefined);
  const anyTime = from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY;
  const asked = [tool, skill, success].some(each => each !== undefined) || search !== '' || equal.length > 0;
  if (anyTime && !asked) return undefined;
  return row => {
    const audit = 'action' in row;
    const at = Date.parse(audit ? row.timestamp : row.started_at);
    if (at < from || at > to) return false;
    if (success !== undefined && String(audit ? row.success : row.ok) !== success) return false;
    if (skill !== undefined && row.skill_name !== skill) return false;
    const slug = audit ? row.action : row.tool_slug;
    if (tool !== undefined && slug !== tool && slug.split('.').at(-1) !== tool) return false;
    return equal.every(name => (row as Json)[name] === query[name]) && matches(search, ...textsOf(row));
  };
}

/** What a search looks through. */
function textsOf(row: AuditRow | TraceRow): (string | undefined)[] {
  const own =
    'action' in row
      ? [row.action, row.error_kind, row.error, row.agent_id, row.agent_name]
      : [row.tool_slug, row.error?.kind, row.error?.message];
  return [...own, row.dcc_type, row.request_id, row.trace_id];
}

export const toolOf = (row: AuditRow | TraceRow): string => ('action' in row ? row.action : row.tool_slug);
