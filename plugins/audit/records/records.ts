/** Reads the records of calls: pages of them, newest first, and single ones. It knows neither files nor memory. */
import { cursorOf, placeIn } from '../../../schemas/cursor.ts';
import type { AuditRow, CallRecordsService, RowPage, RowQuery, TraceRow } from './api.ts';
import { recordErrors } from './errors.ts';
import type { RecordStore, Row, RowsByKind } from './store.ts';

export function createRecords(
  store: RecordStore,
  caps: { max_rows: number; max_bytes: number | null },
): Omit<CallRecordsService, 'follow'> {
  const page = async <K extends keyof RowsByKind>(kind: K, query: RowQuery): Promise<RowPage<RowsByKind[K]>> => {
    const { limit, wanted } = query;
    const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
    let kept: { row: Row<RowsByKind[K]>; value: RowsByKind[K] | undefined }[] = [];
    let [total, skipped, ended] = [0, 0, false];
    for await (const some of store.rows(kind)) {
      for (const row of some) {
        // Without a wish, only the rows of the page are read.
        const value = wanted || before !== undefined ? row() : undefined;
        if (wanted && !(value && wanted(value))) continue;
        total += 1;
        if (before !== undefined && value) ended ||= placeOf(value) === before;
        if (ended) continue;
        kept.push({ row, value });
        if (kept.length >= 2 * limit + 2) {
          skipped += kept.length - limit - 1;
          kept = kept.slice(-limit - 1);
        }
      }
    }
    if (before !== undefined && !ended) throw recordErrors.CURSOR();
    const values = kept.map(({ row, value }) => value ?? row()).filter(each => each !== undefined);
    const rows = values.slice(-limit).reverse();
    const oldest = rows.at(-1);
    const more = skipped > 0 || values.length > limit;
    return { rows, total, next_cursor: more && oldest ? cursorOf(placeOf(oldest)) : undefined };
  };

  return {
    calls: query => page('calls', query),
    traces: query => page('traces', query),
    async slowest({ limit, wanted }) {
      let [kept, total]: [{ row: Row<TraceRow>; ms: number }[], number] = [[], 0];
      const first = () => kept.sort((a, b) => b.ms - a.ms).slice(0, limit);
      for await (const some of store.rows('traces')) {
        for (const row of some) {
          const value = row();
          if (!value || (wanted && !wanted(value))) continue;
          total += 1;
          kept.push({ row, ms: value.total_ms });
          if (kept.length >= 2 * limit) kept = first();
        }
      }
      const rows = first().flatMap(each => each.row() ?? []);
      return { rows, total, next_cursor: undefined };
    },
    async trace(id) {
      let found: TraceRow | undefined;
      for await (const some of store.rows('traces')) {
        for (const row of some) {
          const value = row();
          if (value && [value.request_id, value.trace_id, value.parent_request_id].includes(id)) found = value;
        }
      }
      return found;
    },
    status: () => ({ ...store.status(), ...caps }),
  };
}

const timeOf = (row: AuditRow | TraceRow): string => ('timestamp' in row ? row.timestamp : row.started_at);
const placeOf = (row: AuditRow | TraceRow): string => `${timeOf(row)} ${row.span_id ?? row.request_id}`;

/** A time and an id that a caller may have given. */
const longestPlace = 1024;

/** The page that follows ends before this row. */
function readCursor(cursor: string): string {
  const place = placeIn(cursor, longestPlace);
  if (place === undefined || !/^\d{4}-\d\d-\d\dT[\d:.]{8,}Z \S+$/.test(place)) throw recordErrors.CURSOR();
  return place;
}
