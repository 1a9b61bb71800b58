/** What tells rows apart that have no id of their own, and what an event says. Pure. */
import type { CallRow } from '../../frames.ts';
import type { EventRow } from '../shell/rows.ts';

/** Clients may use an id twice. */
export const keyOf = (row: Pick<CallRow, 'request_id' | 'timestamp'>): string => `${row.request_id} ${row.timestamp}`;

export const eventKey = (row: EventRow): string => `${row.timestamp} ${row.event} ${row.instance_id} ${row.reason}`;

/** A finding that was reported stands in its event as JSON: what was observed says more. */
export function reasonOf({ event, reason }: EventRow): string {
  if (event !== 'feedback_reported') return reason;
  try {
    const { report } = JSON.parse(reason) as { report?: { tool_slug?: string; observed?: string } };
    return [report?.tool_slug, report?.observed].filter(Boolean).join(': ') || reason;
  } catch {
    return reason;
  }
}
