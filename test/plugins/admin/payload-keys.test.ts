/** What every route under `/admin/api` tells, by its keys: a gateway with an instance, calls that went well and ill, and all that it serves. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminPlugin } from '../../../plugins/admin/index.ts';
import { debugPlugin } from '../../../plugins/debug/index.ts';
import { gatewayFeedbackPlugin } from '../../../plugins/feedback/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { trafficPlugin } from '../../../plugins/traffic/index.ts';
import { webhooksPlugin } from '../../../plugins/webhooks/index.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { startGateway } from '../gateway/rig.ts';
import { type Json, raw, startHost, toolsOfHost } from '../gateway/support.ts';

const keys = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
const gateway = 'name role pid host port instance_id version adapter_version adapter_dcc last_heartbeat_unix metadata';
const limits =
  'body_max_bytes rate_limit_per_minute_per_ip xff_trusted_depth read_retry_max circuit_failure_threshold circuit_open_secs';
const status =
  'state message capture_enabled live_sink_enabled sink_count subscriber_enabled retained_frames recent_decision_count ' +
  'captured_decision_count skipped_decision_count skip_reasons redacted_path_count redacted_paths safe_to_share payload_policy retention';
const report =
  'schema_version report_type privacy_mode generated_at request_id trace_id summary github_issue links raw_debug_bundle privacy_note';

/** Route, and the keys at each place of its payload: `[]` is the first row of a list. */
const table: readonly (readonly [route: string, places: Readonly<Record<string, string>>])[] = [
  [
    'health',
    {
      '': 'status instances_ready instances_total uptime_secs version rss_bytes response_format gateway limits circuits',
      response_format: 'default legacy_mime compact_mime token_estimator',
      gateway: 'current candidates',
      'gateway.current': gateway,
      limits,
      circuits: 'tracked_backends circuits_open',
    },
  ],
  [
    'reliability',
    {
      '': 'generated_at status uptime_secs version rss_bytes gateway limits circuits capability_funnel artifact_verification stability',
      limits,
    },
  ],
  ['instances', { '': 'total known_total evicted_dead view summary instances', summary: 'live stale unhealthy' }],
  ['workers', { '': 'summary workers', summary: 'live stale unhealthy' }],
  [
    'activity',
    {
      '': 'total events',
      'events.[]': 'event_id timestamp kind severity status message tool duration_ms correlation',
    },
  ],
  [
    'calls',
    {
      '': 'total calls',
      'calls.[]':
        'request_id method tool dcc_type instance_id session_id transport agent_id agent_name agent_model links token_accounting ' +
        'success error timestamp trace_id span_id action duration_ms',
    },
  ],
  [
    'traces',
    {
      '': 'total traces',
      'traces.[]':
        'request_id tool dcc_type transport agent_id span_count slowest_span_name slowest_span_ms input_bytes output_bytes ' +
        'token_accounting links',
    },
  ],
  [
    'traces/failed-1',
    {
      '': 'request_id trace_id span_id method tool_slug instance_id dcc_type transport started_at total_ms ok spans input',
      'spans.[]': 'span_id name started_ns duration_ns ok attributes',
      input: 'content mime_type truncated original_size',
    },
  ],
  [
    'traffic',
    {
      '': 'schema_version total frames capture_status links',
      'frames.[]': 'event attributes',
      capture_status: status,
      'capture_status.retention': 'admin_live_configured ring_buffer_capacity',
    },
  ],
  ['tools', { '': 'tools', 'tools.[]': 'slug name dcc_type summary skill_name instance_id instance_prefix' }],
  ['skills', { '': 'total loaded skills skipped unread' }],
  ['tasks', { '': 'total tasks' }],
  ['debug-bundle/failed-1', { '': 'request_id trace_id generated_at privacy_note call trace' }],
  [
    'issue-report/failed-1',
    {
      '': report,
      summary:
        'title status dcc_type tool_family total_ms error response_token_accounting token_accounting payload_tokens ' +
        'token_accounting_contract redaction_status postmortem',
      'summary.error': 'kind present message_redacted',
      'summary.payload_tokens': 'kind token_estimator input_tokens output_tokens total_tokens missing_payload_tokens',
      'summary.redaction_status':
        'mode raw_payloads_excluded payload_previews_excluded prompts_excluded scripts_excluded auth_material_excluded ' +
        'local_urls_excluded absolute_paths_excluded private_identifiers_excluded redaction_markers_detected',
      'summary.postmortem': 'previous_call_count gateway_event_count',
      github_issue: 'title body_template suggested_labels',
      raw_debug_bundle: 'available mode_query admin_path stable_path privacy_note',
    },
  ],
  ['issue-report/failed-1?mode=raw', { '': `${report} debug_bundle` }],
  [
    'logs',
    {
      '': 'total logs',
      'logs.[]': 'timestamp level message source dcc_type instance_id request_id tool success detail',
    },
  ],
  [
    'stats',
    {
      '':
        'range filters total_calls successful_calls failed_calls success_rate original_tokens returned_tokens saved_tokens ' +
        'latency_ms top_agents payload_token_usage token_usage governance',
      latency_ms: 'p50_ms p95_ms',
      token_usage: 'by_tool by_instance by_agent by_transport by_response_format',
    },
  ],
  ['analytics/overview?range=90d', { '': 'range total_calls' }],
  ['analytics/timeseries?range=30d', { '': 'range bucket step_ms points' }],
  ['analytics/heatmap?range=365d', { '': 'range timezone calls' }],
  ['governance', { '': 'policy capture redaction quota recent_decisions' }],
  ['sessions', { '': 'total sessions' }],
  ['events', { '': 'total events', 'events.[]': 'timestamp event dcc_type instance_id reason' }],
  ['integrations', { '': 'webhooks pending_restart' }],
  [
    'feedback',
    {
      '': 'success source total count truncated skipped_invalid deduplicated files_scanned filters entries',
      filters: 'range dcc severity limit',
    },
  ],
];

const at = (value: unknown, place: string): unknown =>
  place
    .split('.')
    .filter(Boolean)
    .reduce<unknown>((found, each) => (found as Json)?.[each === '[]' ? '0' : each], value);

test('every route that is served has the keys of its payload', async () => {
  const folder = await tempDir();
  const traffic_config = join(folder, 'traffic.yaml');
  await writeFile(traffic_config, 'enabled: true\nsinks:\n  - { kind: admin_live, ring_buffer: 10 }\n');
  const plugins = [gatewayRestPlugin, debugPlugin, adminPlugin, trafficPlugin, webhooksPlugin, gatewayFeedbackPlugin];
  const { app, url, registry_dir, backend } = await startGateway(plugins, {
    ...{ traffic_config, etc_dir: folder, log_level: 'warn' },
  });
  const host = await startHost(registry_dir, { setup: toolsOfHost });
  await backend(host.id);
  await app.capabilities.refresh();
  for (const [name, id] of [
    ['echo', 'well-1'],
    ['throws', 'failed-1'],
  ]) {
    await raw(url, '/v1/call', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': String(id) },
      body: JSON.stringify({ tool_slug: `maya.${host.short}.${name}`, arguments: { text: 'x' } }),
    });
  }
  app.kernel.log.warn('a line of the log');
  const elected = { dcc_type: '__gateway__', instance_id: host.id, reason: 'it is alone' };
  app.kernel.bus.emit('gateway.elected', { attributes: elected });
  const get = async (route: string): Promise<Json> => {
    const { status: code, json, text } = await raw(url, `/admin/api/${route}`);
    expect(code, `${route}: ${text}`).toBe(200);
    return json;
  };
  await waitFor(async () => Number((await get('traffic')).total) > 0, 'a frame');

  const missing: string[] = [];
  for (const [route, places] of table) {
    const answer = await get(route);
    for (const [place, wanted] of Object.entries(places)) {
      const found = Object.keys(Object(at(answer, place)));
      for (const key of keys(wanted)) if (!found.includes(key)) missing.push(`${route} ${place}: ${key}`);
    }
  }
  expect(missing).toEqual([]);
});
