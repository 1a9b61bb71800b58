/** Metrics as Prometheus reads them, from running servers. */
import parse from 'parse-prometheus-text-format';
import { expect, test } from 'vitest';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { metricsPlugin } from '../../../plugins/telemetry/metrics/index.ts';
import { webhooksPlugin } from '../../../plugins/webhooks/index.ts';
import { listeningApp } from '../../helper.ts';
import { connect } from '../../spec/wire.ts';
import { gatewayRig } from '../gateway/rig.ts';

/** The samples of a page by their names with labels. */
async function samples(origin: string, path = '/metrics'): Promise<Map<string, number>> {
  const response = await fetch(`${origin}${path}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const found = new Map<string, number>();
  // Histograms are read as the single samples that they are: the reader takes all of a family for one.
  const text = (await response.text()).replaceAll(/^# (?:TYPE|HELP) \S+_duration_seconds .*\n/gm, '');
  for (const { name, metrics } of parse(text)) {
    for (const { labels = {}, value } of metrics) {
      const told = Object.entries(labels).map(([label, each]) => `${label}="${each}"`);
      found.set(told.length > 0 ? `${name}{${told}}` : name, Number(value));
    }
  }
  for (const [name, value] of found) expect(value, name).not.toBeNaN();
  return found;
}

/** Of whatever serves the page. */
const ofAll = [
  'svc_sessions',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_eventloop_lag_max_seconds',
  'process_resident_memory_bytes',
  'process_cpu_seconds_total',
  'nodejs_heap_size_used_bytes',
];

test('calls, failures and states of an instance and of its gateway; no label holds what a caller made up', async () => {
  const echo = { name: 'echo', description: 'Echoes.', input_schema: { type: 'object' } };
  const fail = { name: 'fail', description: 'Fails.', input_schema: { type: 'object' } };
  const { app, url, instances } = await gatewayRig(
    [gatewayRestPlugin, webhooksPlugin, metricsPlugin],
    [
      {
        dcc_type: 'maya',
        tools: [
          { definition: echo, handler: () => 'ok' },
          {
            definition: fail,
            handler: () => {
              throw new Error('no');
            },
          },
        ],
        options: { metrics_enabled: true },
      },
    ],
    { metrics_enabled: true, chatrobot_webhook_url: 'http://127.0.0.1:9/', chatrobot_events: 'nothing.of.this' },
  );
  await app.capabilities.refresh();
  const [instance] = instances;
  const short = instance?.id8;
  for (const name of ['echo', 'echo', 'fail', 'made_up_by_a_caller']) {
    await fetch(`${url}/v1/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tool_slug: `maya.${short}.${name}`, arguments: {} }),
    });
  }
  const gateway = await samples(url);
  expect(gateway.get('svc_tool_calls_total{tool="echo",dcc_type="maya",outcome="success"}')).toBe(2);
  expect(gateway.get('svc_tool_calls_total{tool="fail",dcc_type="maya",outcome="failure"}')).toBe(1);
  expect(gateway.get('svc_tool_calls_total{tool="",dcc_type="",outcome="failure"}')).toBe(1);
  expect([...gateway.keys()].filter(each => each.includes('made_up'))).toEqual([]);
  expect(gateway.get('svc_tool_call_duration_seconds_count{dcc_type="maya",outcome="success"}')).toBe(2);
  expect(gateway.get('svc_tool_call_duration_seconds_bucket{le="+Inf",dcc_type="maya",outcome="success"}')).toBe(2);
  expect(gateway.get('svc_backends{circuit="closed"}')).toBe(1);
  expect(
    [...gateway.keys()].filter(each => short && each.includes(short)),
    'instances come and go',
  ).toEqual([]);
  expect(gateway.get('svc_tool_errors_total{dcc_type="maya",error_kind="handler_error"}')).toBe(1);
  expect(gateway.get('svc_backend_calls_in_flight')).toBe(0);
  for (const name of ofAll) expect(gateway.get(name), name).toBeGreaterThanOrEqual(0);
  expect(gateway.get('svc_webhook_queue{webhook="chatrobot-message-push"}')).toBe(0);

  const origin = new URL(String(instance?.service.mcpUrl())).origin;
  const direct = await connect(String(instance?.service.mcpUrl()));
  await direct.call('another_made_up', {}).catch(() => undefined);
  const own = await samples(origin);
  expect(own.get('svc_tool_errors_total{dcc_type="maya",error_kind="metadata_not_found"}')).toBe(1);
  expect(own.get('svc_tool_calls_total{tool="echo",dcc_type="maya",outcome="success"}')).toBe(2);
  expect([...own.keys()].filter(each => each.includes('made_up'))).toEqual([]);
  expect(own.get('svc_tools')).toBeGreaterThanOrEqual(2);
  expect(own.get('svc_sessions')).toBeGreaterThanOrEqual(1);
  expect(own.get('svc_tool_call_duration_seconds_count{dcc_type="maya",outcome="success"}')).toBeGreaterThanOrEqual(2);
  expect([own.get('svc_jobs{status="running"}'), own.get('svc_jobs{status="pending"}')]).toEqual([0, 0]);
  for (const name of ofAll.slice(3)) expect(own.get(name), name).toBeGreaterThan(0);
});

test('labels have an end, whatever the names are; odd ones are written so that they can be read', async () => {
  const { app, url } = await listeningApp([metricsPlugin], { metrics_enabled: true });
  const tell = (tool_name: string) =>
    app.kernel.bus.emit('tool.completed', {
      attributes: { tool_slug: tool_name, tool_name, duration_ms: 1, result_success: true },
    });
  tell('odd "name" \\ of\ntwo lines');
  for (let index = 1; index <= 1200; index += 1) tell(`made_${index}`);
  const found = await samples(url);
  const tools = [...found.keys()].filter(each => each.startsWith('svc_tool_calls_total'));
  expect(tools).toHaveLength(1001);
  expect(tools[0]).toContain('odd "name" \\ of\ntwo lines');
  expect(found.get('svc_tool_calls_total{tool="_other",dcc_type="",outcome="success"}')).toBe(201);
});

test('another path; off by default', async () => {
  const { url } = await listeningApp([metricsPlugin], { metrics_enabled: true, metrics_path: '/watch/me' });
  expect((await samples(url, '/watch/me')).has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
  const off = await listeningApp([metricsPlugin]);
  expect((await fetch(`${off.url}/metrics`)).status).toBe(404);
  // A path alone switches nothing on, and the log says what does.
  const path = await listeningApp([metricsPlugin], { metrics_path: '/watch/me', log_level: 'info' });
  expect((await fetch(`${path.url}/watch/me`)).status).toBe(404);
  expect(path.app.kernel.logTail(50).join('\n')).toContain('metrics_enabled switches them on');
});
