/** Reads of recorded calls: lists, single traces, statistics and reports of one call. It knows no transport. */
import { hostname, userInfo } from 'node:os';
import type { Json } from '../../schemas/loose.ts';
import type { AuditRow, CallRecordsService, TraceRow } from '../audit/records/api.ts';
import type { GatewayEventsService } from '../gateway/events/api.ts';
import { exportOf, heatmapOf, overviewOf } from './analytics.ts';
import { debugErrors } from './errors.ts';
import { earlier, issueReport } from './issue-report.ts';
import { isSlowestFirst, limitOf, spanOf, wantedRows } from './query.ts';
import { decisionsIn } from './standing.ts';
import { statsOf } from './stats.ts';
import { timeseriesOf, type WindowQuery, windowOf } from './timeseries.ts';

export interface ReadsParts {
  callRecords: CallRecordsService;
  gatewayEvents: GatewayEventsService;
  now(): number;
  /** Where the admin page has its reads; none where there is no such page. */
  adminBase: string | undefined;
}

const limits = { standard: 200, most: 1000 };
const exportLimits = { standard: 1000, most: 100_000 };
/** Rows that statistics are made of, and that are looked through for what went before a call. */
const allRows = 1_000_000;
const base = '/v1/debug';

/** What a list of calls always tells, also where nobody knows it. */
const unknown = {
  ...{ dcc_type: null, instance_id: null, session_id: null, transport: null },
  ...{ agent_id: null, agent_name: null, agent_model: null, token_accounting: null, error: null },
};

const linksOf = (id: string) => ({
  trace: `${base}/traces/${encodeURIComponent(id)}`,
  issue_report: `${base}/issue-reports/${encodeURIComponent(id)}`,
});

export function createReads({ callRecords, gatewayEvents, now, adminBase }: ReadsParts) {
  const calls = (query: Json, bound = limits) =>
    callRecords.calls({
      limit: limitOf(query, bound),
      cursor: query.cursor as string | undefined,
      wanted: wantedRows(query, now()),
    });

  /** Calls of tools alone: what the gateway was asked itself would blur what they amount to. */
  const called = async (query: Json): Promise<AuditRow[]> => {
    const { rows } = await callRecords.calls({ limit: allRows, wanted: wantedRows(query, now()) });
    return rows.filter(each => each.operation === undefined);
  };
  const rowsIn = (range: string): Promise<AuditRow[]> => called({ range });

  const traceOf = async (id: string): Promise<TraceRow> => {
    const trace = await callRecords.trace(id);
    if (!trace) throw debugErrors.NO_RECORD({ id: JSON.stringify(id.slice(0, 128)), path: `${base}/calls` });
    return trace;
  };

  return {
    async calls(query: Json): Promise<Json> {
      const { rows, total, next_cursor } = await calls(query);
      const shown = rows.map(row => ({ ...unknown, ...row, tool: row.action, links: linksOf(row.request_id) }));
      return { total, calls: shown, ...(next_cursor && { next_cursor }), records: callRecords.status() };
    },

    async traces(query: Json): Promise<Json> {
      const asked = { limit: limitOf(query, limits), wanted: wantedRows(query, now()) };
      const { rows, total, next_cursor } = isSlowestFirst(query)
        ? await callRecords.slowest(asked)
        : await callRecords.traces({ ...asked, cursor: query.cursor as string | undefined });
      return { total, traces: rows.map(inShort), ...(next_cursor && { next_cursor }) };
    },

    /** With its payloads for who sits at the machine alone. */
    async trace(id: string, local: boolean): Promise<Json> {
      const { input, output, ...trace } = await traceOf(id);
      return { ...trace, ...(local && { input, output }), links: linksOf(trace.request_id) };
    },

    async stats(query: Json): Promise<Json> {
      const { label } = spanOf(query, now());
      const { range: _, limit: __, cursor: ___, ...filters } = query;
      const rows = await called(query);
      return { range: label, filters, ...statsOf(rows), governance: decisionsIn(rows) };
    },

    /** Of the last day. */
    lastDay: () => rowsIn('24h'),

    async overview(range: string): Promise<Json> {
      return overviewOf(await rowsIn(range), range);
    },
    async timeseries(query: WindowQuery): Promise<Json> {
      const window = windowOf(query, now());
      const since = new Date(window.from).toISOString();
      return timeseriesOf(await called({ since }), window);
    },
    async heatmap(range: string): Promise<Json> {
      return heatmapOf(await rowsIn(range), range);
    },
    async exported(range: string, format: 'json' | 'csv', query: Json) {
      return exportOf((await rowsIn(range)).slice(0, limitOf(query, exportLimits)), format);
    },

    /** Calls and what the gateway noted, in one list, newest first. */
    async activity(query: Json): Promise<Json> {
      const limit = limitOf(query, limits);
      const { rows, total } = await calls({ ...query, limit: String(limit) });
      const noted = gatewayEvents.list().map(ofEvent);
      const events = [...rows.map(ofCall), ...noted];
      events.sort((a, b) => b.timestamp.localeCompare(a.timestamp));
      return { total: total + noted.length, events: events.slice(0, limit) };
    },

    /** Everything that is recorded of a call and of what went before it. */
    async debugBundle(id: string): Promise<Json> {
      const { request_id, trace_id, generated_at, privacy_note, debug_bundle } = await this.issueReport(id, true);
      return { request_id, trace_id, generated_at, privacy_note, ...(debug_bundle as Json) };
    },

    async issueReport(id: string, raw: boolean): Promise<Json> {
      const trace = await traceOf(id);
      const { rows } = await callRecords.calls({ limit: allRows });
      const short = trace.instance_id?.slice(0, 8);
      return issueReport({
        trace,
        call: rows.find(each => each.span_id === trace.span_id && each.request_id === trace.request_id),
        previous: earlier(rows, trace).slice(0, 20),
        events: gatewayEvents.list().filter(each => each.instance_id === short),
        ...{ raw, now: now(), names: [userName(), hostname()].filter(each => each.length > 2) },
        ...{ linksOf, adminBase },
      });
    },
  };
}

function inShort(trace: TraceRow): Json {
  const { request_id, trace_id, tool_slug, dcc_type, transport, instance_id, session_id, agent_context } = trace;
  const { started_at, total_ms, ok, spans, input, output, token_accounting } = trace;
  // The outer spans are as long as the call: the slowest is what it waited for within them.
  const own = spans.map((span, index) => ({
    name: span.name,
    ms: (span.duration_ns - (spans[index + 1]?.duration_ns ?? 0)) / 1e6,
  }));
  const slowest = own.reduce((found, each) => (each.ms > found.ms ? each : found), { name: '', ms: -1 });
  return {
    ...{ request_id, trace_id, tool: tool_slug, transport: transport ?? null, dcc_type: dcc_type ?? null },
    ...{ instance_id: instance_id ?? null, session_id: session_id ?? null },
    agent_id: agent_context?.agent_id ?? null,
    ...{ started_at, total_ms, ok, span_count: spans.length },
    ...{ slowest_span_name: slowest.name, slowest_span_ms: Math.round(slowest.ms * 1000) / 1000 },
    ...{ input_bytes: input?.original_size ?? 0, output_bytes: output?.original_size ?? 0 },
    token_accounting: token_accounting ?? null,
    links: linksOf(request_id),
  };
}

const ofCall = (row: AuditRow) => ({
  event_id: row.span_id ?? row.request_id,
  timestamp: row.timestamp,
  kind: row.operation ?? 'tool_call',
  severity: row.success ? 'info' : 'error',
  status: row.success ? 'success' : 'failed',
  message: row.error ?? null,
  tool: row.action,
  duration_ms: row.duration_ms ?? null,
  correlation: {
    request_id: row.request_id,
    trace_id: row.trace_id,
    instance_id: row.instance_id,
    session_id: row.session_id,
  },
});

const ofEvent = (event: ReturnType<GatewayEventsService['list']>[number], index: number) => ({
  event_id: `gateway-${index}`,
  timestamp: event.timestamp,
  kind: event.event,
  severity: 'info',
  status: 'noted',
  message: event.reason,
  tool: null,
  duration_ms: null,
  correlation: { instance_id: event.instance_id, dcc_type: event.dcc_type },
});

/** A process may run as a user that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
