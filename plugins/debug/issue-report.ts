/**
 * One call as a report for an issue tracker (shape:issue-report): by default such that anybody may read it, on the machine
 * itself with all that is recorded. Pure.
 */
import { type Json, objectOf } from '../../schemas/loose.ts';
import { isMarked, publicText } from '../../schemas/redaction.ts';
import type { AuditRow, TraceRow } from '../audit/records/api.ts';

export interface ReportInput {
  trace: TraceRow;
  call: AuditRow | undefined;
  /** Of the same session, before this one; newest first. */
  previous: readonly AuditRow[];
  /** What the gateway noted of the instance. */
  events: readonly object[];
  raw: boolean;
  now: number;
  /** Words that may not be in it: of the user, of the machine. */
  names: readonly string[];
  /** Where the reads of a call are, by its id. */
  linksOf(id: string): Readonly<Record<string, string>>;
  /** Where the admin page has the reads; none where there is no such page. */
  adminBase: string | undefined;
}

const privacyNote =
  'Made to be shared: it has no payloads, paths, addresses and credentials. Read it all the same before you post it.';
const rawNote = 'Local evidence: it has payloads, ids and names. Look through it by yourself, and do not post it.';

export function issueReport(input: ReportInput): Json {
  const { trace, call, previous, events, raw, now, names, linksOf, adminBase } = input;
  const clean = (text: string): string => (raw ? text : publicText(text, names));
  const { request_id, trace_id, total_ms, ok, error, token_accounting: tokens } = trace;
  const dcc_type = clean(trace.dcc_type ?? 'unknown');
  const called = trace.tool_slug.split('.').at(-1) ?? '';
  // Who calls what is no tool may have written anything there.
  const tool_family = raw || /^[\w-]{1,128}$/.test(called) ? clean(called) : 'unknown';
  const message = error === undefined ? call?.error : error.message;
  const given = error?.kind ?? call?.error_kind ?? (ok ? null : 'tool-error');
  const kind = given === null ? null : clean(given);
  const told = message === undefined ? null : clean(message);
  const status = ok ? 'success' : 'failed';
  const title = `[${dcc_type}] ${tool_family}: ${ok ? 'call report' : (kind ?? 'failed')}`;
  const input_tokens = trace.input?.estimated_tokens ?? null;
  const output_tokens = trace.output?.estimated_tokens ?? null;
  const shownId = clean(request_id) === request_id ? request_id : idAsText(request_id, raw);
  // An address tells an id, too; the trace finds the call as well.
  const linkedId = shownId === request_id ? request_id : trace_id;
  const links = linksOf(linkedId);
  return {
    schema_version: 'svc.admin.issue-report.v1',
    report_type: raw ? 'github_issue_debug_json' : 'github_issue_public_safe',
    privacy_mode: raw ? 'raw-local-evidence' : 'public-safe',
    generated_at: new Date(now).toISOString(),
    request_id: shownId,
    trace_id,
    summary: {
      ...{ title, status, dcc_type, tool_family, total_ms },
      error: { kind, present: message !== undefined || !ok, message_redacted: told },
      response_token_accounting: tokens ?? null,
      token_accounting: tokens ?? null,
      payload_tokens: {
        ...{ kind: 'estimate', token_estimator: tokens?.estimator ?? 'svc-byte4-v1', input_tokens, output_tokens },
        total_tokens: (input_tokens ?? 0) + (output_tokens ?? 0),
        missing_payload_tokens: [input_tokens, output_tokens].filter(each => each === null).length,
      },
      token_accounting_contract: 'bytes of UTF-8 divided by four, rounded up',
      redaction_status: redactionOf(raw, told),
      postmortem: { previous_call_count: previous.length, gateway_event_count: events.length },
      spans: trace.spans.map(({ name, duration_ns, ok: well }) => ({ name, duration_ms: duration_ns / 1e6, ok: well })),
    },
    github_issue: {
      title,
      body_template: bodyOf({ tool_family, dcc_type, status, total_ms, kind, told, trace }),
      suggested_labels: [ok ? 'question' : 'bug', `dcc:${dcc_type}`],
    },
    links,
    raw_debug_bundle: {
      available: true,
      mode_query: 'mode=raw',
      admin_path: adminBase === undefined ? null : `${adminBase}/issue-report/${encodeURIComponent(linkedId)}?mode=raw`,
      stable_path: `${links.issue_report}?mode=raw`,
      privacy_note: rawNote,
    },
    privacy_note: raw ? rawNote : privacyNote,
    ...(raw && { debug_bundle: { call: call ?? null, trace, previous_calls: previous, gateway_events: events } }),
  };
}

/** An id that a client chose may say more than an id; one of ours is only a number. */
function idAsText(id: string, raw: boolean): string {
  return raw || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : '[id-redacted]';
}

function redactionOf(raw: boolean, told: string | null): Json {
  const excluded = [
    ...['raw_payloads', 'payload_previews', 'prompts', 'scripts', 'auth_material', 'local_urls', 'absolute_paths'],
    'private_identifiers',
  ];
  return {
    mode: raw ? 'raw' : 'public-safe',
    // What is secret is left out of every record.
    ...Object.fromEntries(excluded.map(each => [`${each}_excluded`, !raw || each === 'auth_material'])),
    redaction_markers_detected: told !== null && isMarked(told),
  };
}

interface Body {
  tool_family: string;
  dcc_type: string;
  status: string;
  total_ms: number;
  kind: string | null;
  told: string | null;
  trace: TraceRow;
}

function bodyOf({ tool_family, dcc_type, status, total_ms, kind, told, trace }: Body): string {
  const where = trace.spans.map(({ name, duration_ns }) => `| ${name} | ${(duration_ns / 1e6).toFixed(1)} ms |`);
  return [
    '## What happened',
    `\`${tool_family}\` of ${dcc_type}: ${status} after ${total_ms.toFixed(1)} ms.`,
    ...(kind === null ? [] : ['', `Error \`${kind}\`: ${told ?? 'it said nothing'}`]),
    ...['', '## Where the time went', '', '| span | time |', '| --- | --- |', ...where],
    ...['', '## What was expected', '', '_Fill in_', '', '## How it is repeated', '', '_Fill in_'],
  ].join('\n');
}

/** Rows before `trace` in its session, or at its instance where there is none. */
export function earlier(rows: readonly AuditRow[], trace: TraceRow): AuditRow[] {
  const same = trace.session_id === undefined ? 'instance_id' : 'session_id';
  const value = objectOf(trace)[same];
  return rows.filter(
    each =>
      value !== undefined &&
      each[same] === value &&
      each.request_id !== trace.request_id &&
      each.timestamp <= endOf(trace),
  );
}

const endOf = ({ started_at, total_ms }: TraceRow): string => new Date(Date.parse(started_at) + total_ms).toISOString();
