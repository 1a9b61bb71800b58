/** What `/admin/api/*` has of its own: the rest of it stands where its data does. */
import type { FastifyInstance } from 'fastify';
import type { AuditRow, CallRecordsService, TraceRow } from '../audit/records/api.ts';
import { bucketsOf, type SeriesQuery, seriesWindow } from './timeseries.ts';

export interface InterfaceDeps {
  now(): number;
  callRecords: Pick<CallRecordsService, 'calls'>;
}

const allRows = 1_000_000;

export function addInterface(api: FastifyInstance, { now, callRecords }: InterfaceDeps): void {
  api.get<{ Querystring: SeriesQuery }>('/analytics/timeseries', { schema: { hide: true } }, async ({ query }) => {
    const window = seriesWindow(query, now());
    const wanted = (row: AuditRow | TraceRow): boolean =>
      'timestamp' in row && Date.parse(row.timestamp) >= window.from;
    const { rows } = await callRecords.calls({ limit: allRows, wanted });
    return { from: window.from, step_ms: window.stepMs, points: bucketsOf(rows, window) };
  });
}
