/** `/v1/debug/*` of a real gateway: what it shows of calls and of itself, to whom, and what bad questions get. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callRecordsPlugin } from '../../../plugins/audit/records/index.ts';
import { debugPlugin } from '../../../plugins/debug/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { tempDir } from '../../helper.ts';
import { startGateway } from '../gateway/rig.ts';
import { raw, startHost, toolsOfHost } from '../gateway/support.ts';

type Json = Record<string, unknown>;

/** Made here, so that nobody who scans the repository finds a credential. */
const secret = `${'gl'}pat-${'Ab3dEf6hIj9l'.repeat(2)}`;
const plugins = [gatewayRestPlugin, callRecordsPlugin, debugPlugin];

test('calls, traces, statistics and reports of what passed; before a restart too [spec:shape:debug spec:shape:issue-report]', async () => {
  const registry_dir = await tempDir();
  const gateway_audit_dir = join(await tempDir(), 'audit');
  const host = await startHost(registry_dir, {
    setup(server) {
      toolsOfHost(server);
      server.registerTool({ name: 'leaks', description: 'Fails and tells too much.' }, () => {
        throw new Error(`cannot open /home/ann/film/x.ma at http://10.0.0.7:80/x with token=${secret}`);
      });
    },
  });
  const options = { registry_dir, gateway_audit_dir };
  const first = await startGateway(plugins, options);
  await first.backend(host.id);
  await first.app.capabilities.refresh();
  const call = (url: string, name: string, args: Json, id: string) =>
    raw(url, '/v1/call', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': id, 'x-svc-agent-id': 'bot-7' },
      body: JSON.stringify({ tool_slug: `maya.${host.short}.${name}`, arguments: args }),
    });
  for (const n of [1, 2, 3]) await call(first.url, 'echo', { text: `n${n}` }, `echo-${n}`);
  await call(first.url, 'leaks', { path: '/home/ann/in', password: secret }, 'leak-1');
  await first.app.close();

  const { app, url } = await startGateway(plugins, options);
  const get = (path: string, headers: Record<string, string> = {}) => raw(url, path, { headers });
  const read = async (path: string): Promise<Json> => {
    const { status, json, text } = await get(path);
    expect(status, text).toBe(200);
    return json;
  };
  const ids = (list: unknown): unknown[] => (list as Json[]).map(each => each.request_id);

  const calls = await read('/v1/debug/calls');
  expect([calls.total, ids(calls.calls)]).toEqual([4, ['leak-1', 'echo-3', 'echo-2', 'echo-1']]);
  expect((calls.calls as Json[])[1]).toMatchObject({
    ...{ tool: `maya.${host.short}.echo`, success: true, agent_id: 'bot-7', transport: 'rest', dcc_type: 'maya' },
    links: { trace: '/v1/debug/traces/echo-3', issue_report: '/v1/debug/issue-reports/echo-3' },
  });
  // The admin page has the same under its own path.
  expect((await read('/admin/api/calls')).calls).toEqual(calls.calls);
  const page = await read('/v1/debug/calls?limit=2&success=true');
  expect([page.total, ids(page.calls)]).toEqual([3, ['echo-3', 'echo-2']]);
  const next = await read(`/v1/debug/calls?limit=2&success=true&cursor=${page.next_cursor}`);
  expect([next.total, ids(next.calls), next.next_cursor]).toEqual([3, ['echo-1'], undefined]);
  expect((await read('/v1/debug/calls?tool=leaks&range=1h')).total).toBe(1);
  expect((await read('/v1/debug/calls?until=2020-01-01T00:00:00Z')).total).toBe(0);

  const traces = await read('/v1/debug/traces?limit=1');
  expect(traces).toMatchObject({
    total: 4,
    traces: [{ request_id: 'leak-1', span_count: 4, slowest_span_name: expect.any(String) }],
  });
  // The slowest of all that are kept, whatever came last.
  const all = (await read('/v1/debug/traces?order=newest')).traces as Json[];
  const bySlowness = all.sort((a, b) => Number(b.total_ms) - Number(a.total_ms)).map(each => each.request_id);
  for (const limit of [1, 2, 4]) {
    const slowest = await read(`/v1/debug/traces?order=slowest&limit=${limit}`);
    expect([slowest.total, ids(slowest.traces), slowest.next_cursor]).toEqual([
      4,
      bySlowness.slice(0, limit),
      undefined,
    ]);
  }
  expect(await read('/admin/api/traces?order=slowest&success=false')).toMatchObject({ total: 1 });
  for (const [search, found] of [
    ['ECHO-3', ['echo-3']],
    ['maya  echo', ['echo-3', 'echo-2', 'echo-1']],
    ['maya nothing', []],
    [' ', ['leak-1', 'echo-3', 'echo-2', 'echo-1']],
  ] as const) {
    const query = `search=${encodeURIComponent(search)}`;
    expect([search, ids((await read(`/v1/debug/calls?${query}`)).calls)]).toEqual([search, found]);
    expect([search, ids((await read(`/v1/debug/traces?${query}`)).traces)]).toEqual([search, found]);
  }
  expect((await read('/v1/debug/calls?search=bot-7')).total).toBe(4);
  const trace = await read('/v1/debug/traces/echo-1');
  expect(trace).toMatchObject({
    input: { content: '{"text":"n1"}', truncated: false },
    output: { mime_type: 'application/json' },
  });
  expect(ids([await read(`/v1/debug/traces/${trace.trace_id}`)])).toEqual(['echo-1']);

  const stats = await read('/v1/debug/stats?range=24h');
  expect(stats).toMatchObject({
    ...{ range: '24h', total_calls: 4, successful_calls: 3, failed_calls: 1, success_rate: 0.75 },
    latency_ms: { p50_ms: expect.any(Number), p95_ms: expect.any(Number) },
    token_usage: {
      by_tool: [
        { name: `maya.${host.short}.echo`, calls: 3 },
        { calls: 1, failed: 1 },
      ],
      by_agent: [{ name: 'bot-7', calls: 4 }],
    },
  });
  expect((await read('/v1/debug/activity')).events).toContainEqual(
    expect.objectContaining({ kind: 'tool_call', severity: 'error' }),
  );

  // Public by default.
  const report = await get('/v1/debug/issue-reports/leak-1');
  expect(report.json).toMatchObject({
    ...{
      schema_version: 'svc.admin.issue-report.v1',
      report_type: 'github_issue_public_safe',
      privacy_mode: 'public-safe',
    },
    summary: {
      ...{ status: 'failed', dcc_type: 'maya', tool_family: 'leaks' },
      error: { present: true, kind: 'handler_error' },
      redaction_status: { mode: 'public-safe', raw_payloads_excluded: true, redaction_markers_detected: true },
      postmortem: { previous_call_count: 3 },
    },
    github_issue: { suggested_labels: ['bug', 'dcc:maya'] },
  });
  for (const word of [secret, '/home/ann', '10.0.0.7', host.id]) expect(report.text).not.toContain(word);
  // Raw for the machine itself, and without credentials there too.
  const local = await get('/v1/debug/issue-reports/leak-1?mode=raw');
  expect(local.json).toMatchObject({
    privacy_mode: 'raw-local-evidence',
    debug_bundle: { call: { request_id: 'leak-1' } },
  });
  expect(local.text).toContain('/home/ann/film');
  expect(local.text).not.toContain(secret);
  const proxied = await get('/v1/debug/issue-reports/leak-1?mode=raw', { 'x-forwarded-for': '203.0.113.9' });
  expect([proxied.status, (proxied.json.error as Json).kind]).toEqual([403, 'policy-denied']);
  expect((await get('/v1/debug/traces/echo-1', { 'x-forwarded-for': '203.0.113.9' })).json).not.toHaveProperty(
    'output',
  );

  const remoteAddress = '203.0.113.9';
  const far = await app.inject({ url: '/v1/debug/issue-reports/leak-1?mode=raw', remoteAddress });
  expect([far.statusCode, far.json().error.message]).toEqual([
    403,
    expect.stringContaining('on the machine of the gateway'),
  ]);
  const bare = await app.inject({ url: '/v1/debug/traces/echo-1', remoteAddress });
  expect([bare.statusCode, Object.keys(bare.json()).includes('input')]).toEqual([200, false]);

  const bundle = await read('/v1/debug/debug-bundle/leak-1');
  expect(bundle).toMatchObject({ request_id: 'leak-1', call: { success: false }, trace: { request_id: 'leak-1' } });
  expect(ids(bundle.previous_calls)).toEqual(['echo-3', 'echo-2', 'echo-1']);
  expect((await read('/admin/api/debug-bundle/leak-1')).call).toEqual(bundle.call);
  const farBundle = await app.inject({ url: '/v1/debug/debug-bundle/leak-1', remoteAddress });
  expect(farBundle.statusCode).toBe(403);

  const overview = await read('/v1/debug/analytics/overview?range=30d');
  expect(overview).toMatchObject({
    ...{ range: '30d', total_calls: 4, failed_calls: 1, active_tools: 2, active_agents: 1, active_instances: 1 },
  });
  type Points = { timestamp: string; calls: number; failed: number; mean_ms: number | null }[];
  for (const [range, bucket, length] of [
    ['7d', 'hour', 169],
    ['365d', 'day', 366],
  ] as const) {
    const series = await read(`/v1/debug/analytics/timeseries?range=${range}`);
    const points = series.points as Points;
    const sum = (of: 'calls' | 'failed') => points.reduce((total, each) => total + each[of], 0);
    expect([series.bucket, points.length, sum('calls'), sum('failed')]).toEqual([bucket, length, 4, 1]);
    expect(points[0]).toMatchObject({ calls: 0, mean_ms: null });
  }
  const heat = await read('/v1/debug/analytics/heatmap');
  const cells = heat.calls as number[][];
  expect([cells.length, cells[0]?.length, cells.flat().reduce((a, b) => a + b, 0)]).toEqual([7, 24, 4]);
  const lines = (await get('/v1/debug/analytics/export?limit=2')).text.trim().split('\n');
  expect(lines.map(each => JSON.parse(each).request_id)).toEqual(['leak-1', 'echo-3']);
  const csv = await fetch(new URL('/v1/debug/analytics/export?format=csv&range=90d', url));
  expect(csv.headers.get('content-type')).toContain('text/csv');
  const csvLines = (await csv.text()).trim().split('\r\n');
  expect([csvLines.length, csvLines[0]]).toEqual([5, expect.stringMatching(/^timestamp,request_id,tool,/)]);

  expect(await read('/v1/debug/reliability')).toMatchObject({
    ...{
      generated_at: expect.any(String),
      status: expect.stringMatching(/^(ok|degraded)$/),
      version: expect.any(String),
    },
    capability_funnel: { calls: 4, calls_succeeded: 3, tools_known: expect.any(Number) },
    artifact_verification: { state: 'not_available' },
    stability: { range: '24h', failed_calls: 1, errors_by_kind: { handler_error: 1 } },
  });
  expect(await read('/v1/debug/governance')).toMatchObject({
    policy: { read_only: false, allowed_tools: [], policy_file: 'not_configured' },
    capture: { state: 'off' },
    redaction: { mode: 'default' },
    quota: { max_request_body_bytes: expect.any(Number), audit_max_rows: expect.any(Number) },
    recent_decisions: [],
  });

  for (const [path, status, told] of [
    ['analytics/overview?range=1h', 400, '"range" must be 7d or 30d or 90d'],
    ['analytics/export?limit=0', 400, '"limit"'],
    ['debug-bundle/nobody', 404, 'No call is recorded'],
    ['traces/nobody', 404, 'No call is recorded under the id "nobody"'],
    ['issue-reports/nobody', 404, 'No call is recorded'],
    ['calls?limit=0', 400, '"limit" must be a whole number from 1 to 1000'],
    ['calls?limit=1001', 400, '"limit"'],
    ['calls?range=yesterday', 400, '"range" must be a span such as 15m, 24h or 7d'],
    ['calls?since=now', 400, '"since" must be a time'],
    ['calls?since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z', 400, 'later than "until"'],
    ['calls?cursor=x', 400, '"cursor"'],
    ['calls?order=slowest', 400, '"order" is no parameter of this read'],
    ['traces?order=oldest', 400, '"order" must be newest or slowest'],
    ['traces?order=slowest&cursor=x', 400, 'the slowest are one page'],
    ['calls?sucess=true', 400, '"sucess" is no parameter of this read: use one of limit'],
    ['calls?success=yes', 400, 'must be true or false'],
    ['calls?tool=a&tool=b', 400, 'given twice'],
    ['instances?view=some', 400, '"view" must be live or all'],
    ['issue-reports/leak-1?mode=full', 400, '"mode" must be raw or public-safe'],
    ['nothing', 404, '/v1/debug/nothing'],
  ] as const) {
    const answer = await get(`/v1/debug/${path}`);
    expect([answer.status, path]).toEqual([status, path]);
    expect((answer.json.error as Json).message).toContain(told);
  }
  const posted = await raw(url, '/v1/debug/calls', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect([posted.status, posted.text]).toEqual([404, expect.stringContaining('POST /v1/debug/calls')]);
});

test('the gateway itself: health, instances, workers, tools, sessions, events, logs; TOON where it is asked for', async () => {
  const registry_dir = await tempDir();
  const host = await startHost(registry_dir, { setup: toolsOfHost });
  const { app, url, backend } = await startGateway(plugins, { registry_dir, log_level: 'warn' });
  await backend(host.id);
  await app.capabilities.refresh();
  const read = async (path: string): Promise<Json> => (await raw(url, `/v1/debug/${path}`)).json;

  expect(await read('health')).toMatchObject({
    ...{ status: 'ok', instances_total: 1, circuits: { tracked_backends: 1, circuits_open: 0 } },
    response_format: { compact_mime: 'application/toon' },
    gateway: { current: { role: 'gateway', pid: process.pid, port: Number(new URL(url).port) } },
    records: { durable: false, max_rows: 512 },
  });
  expect(await read('instances?view=all')).toMatchObject({
    total: 1,
    summary: { live: 1 },
    instances: [{ instance_id: host.id }],
  });
  expect(await read('workers')).toMatchObject({ workers: [{ instance_id: host.id, circuit: 'closed', in_flight: 0 }] });
  expect((await read('tools')).tools).toContainEqual(
    expect.objectContaining({ name: 'echo', instance_prefix: host.short }),
  );
  expect(await read('sessions')).toMatchObject({ total: 0, sessions: [] });
  expect(await read('events')).toHaveProperty('events');
  app.kernel.log.warn({ token: secret }, `a line with ${secret}`);
  const logs = await raw(url, '/v1/debug/logs?level=warn');
  expect(logs.text).toContain('a line with [redacted]');
  expect(logs.text).not.toContain(secret);
  const toon = await raw(url, '/v1/debug/health', { headers: { accept: 'application/toon' } });
  expect([toon.headers['content-type'], toon.text.startsWith('status: ok')]).toEqual(['application/toon', true]);
  for (const query of ['response_format=toon', 'compact=true', 'compact=1']) {
    expect([query, (await raw(url, `/v1/debug/health?${query}`)).text.slice(0, 10)]).toEqual([query, 'status: ok']);
  }
  for (const accept of ['application/json, application/toon', '*/*', undefined]) {
    const json = await raw(url, '/v1/debug/health', { headers: accept === undefined ? {} : { accept } });
    expect(json.headers['content-type']).toContain('json');
  }

  // In memory, without a directory.
  await raw(url, '/v1/call', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'm-1' },
    body: JSON.stringify({
      tool_slug: `maya.${host.short}.echo`,
      arguments: { text: 'x'.repeat(50_000), token: secret },
    }),
  });
  expect(await read('calls')).toMatchObject({ total: 1, calls: [{ request_id: 'm-1' }] });
  const trace = await raw(url, '/v1/debug/traces/m-1');
  expect(trace.text).not.toContain(secret);
  expect(trace.text.length).toBeLessThan(20_000);
});

test('a report that is shared tells nothing by the id that a caller chose, nor by the type of the host', async () => {
  const registry_dir = await tempDir();
  const host = await startHost(registry_dir, { setup: toolsOfHost, dcc_type: 'ann@studio.example' });
  const { app, url, backend } = await startGateway(plugins, { registry_dir });
  await backend(host.id);
  await app.capabilities.refresh();
  const telling = '/home/ann/shot_010+ann@studio.example';
  const [tool] = app.capabilities.ofInstance(host.id).filter(each => each.backend_tool === 'echo');
  const called = await raw(url, '/v1/call', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': telling },
    body: JSON.stringify({ tool_slug: tool?.tool_slug, arguments: { text: 'x' } }),
  });
  expect(called.status, called.text).toBe(200);
  const read = async (path: string): Promise<Json> => (await raw(url, path)).json;
  const report = await read(`/v1/debug/issue-reports/${encodeURIComponent(telling)}`);
  expect(report).toMatchObject({ request_id: expect.stringContaining('redacted'), privacy_mode: 'public-safe' });
  expect(decodeURIComponent(JSON.stringify(report))).not.toMatch(/ann|shot_010|studio/);
  const { links, raw_debug_bundle } = report as { links: Json; raw_debug_bundle: Json };
  expect(await read(String(links.trace))).toMatchObject({ request_id: telling });
  expect(raw_debug_bundle.admin_path).toMatch(/^\/admin\/api\/issue-report\/[0-9a-f]{32}\?mode=raw$/);
  for (const at of [raw_debug_bundle.admin_path, raw_debug_bundle.stable_path]) {
    expect(await read(String(at))).toMatchObject({ request_id: telling, privacy_mode: 'raw-local-evidence' });
  }
});
