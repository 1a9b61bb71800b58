/** Spans as a collector gets them: a real gateway, a real instance, a real skill, an OTLP receiver. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gatewayPlugin } from '../../../plugins/gateway/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { otelPlugin } from '../../../plugins/telemetry/otel/index.ts';
import { targetOf } from '../../../plugins/telemetry/otel/target.ts';
import { tracingPlugin } from '../../../plugins/telemetry/tracing/index.ts';
import { listeningApp, tempDir, waitFor } from '../../helper.ts';
import { connect } from '../../spec/wire.ts';
import { gatewayRig } from '../gateway/rig.ts';
import { skillMd, writeFiles } from '../skills/support.ts';
import { type CollectedSpan, collector } from './collector.ts';

beforeEach(() => void vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20'));
afterEach(() => void vi.unstubAllEnvs());

const trace = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${trace}-b7ad6b7169203331-01`;
const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

const files = {
  'SKILL.md': skillMd('probe', { svc: '    tools: tools.yaml' }),
  'tools.yaml': `tools:
  - { name: tells, description: Tells., source_file: tools/tells.ts }
  - { name: fails, description: Fails., source_file: tools/fails.ts }
  - { name: script, description: Tells., source_file: scripts/script.sh }
`,
  'tools/tells.ts': `export default async (args, ctx) => ({ trace: ctx.trace, script: await ctx.call('script', {}) });\n`,
  'tools/fails.ts': `export default args => { throw new Error('cannot use ' + args.token); };\n`,
  'scripts/script.sh': `#!/bin/sh\nprintf '{"traceparent":"%s","tracestate":"%s"}' "$TRACEPARENT" "$TRACESTATE"\n`,
};

test('gateway, instance and skill are one trace; a failure is one on each of them; nothing of what was said is in it', async () => {
  const { url: otel_endpoint, spans, raw, requests } = await collector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-studio=blue');
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test');
  const root = await tempDir('svc-skills-');
  await writeFiles(join(root, 'probe'), files);
  await chmod(join(root, 'probe/scripts/script.sh'), 0o755);
  const { app, url, instances } = await gatewayRig(
    [tracingPlugin, gatewayPlugin, gatewayRestPlugin, otelPlugin],
    [
      {
        dcc_type: 'maya',
        env: { PATH: process.env.PATH },
        options: { otel_endpoint, skill_paths: [root], otel_service_name: 'maya-of-ada' },
        setup: async server => void (await server.loadSkill('probe')),
      },
    ],
    { otel_endpoint },
  );
  await app.capabilities.refresh();
  const [instance] = instances;
  const call = async (name: string, args = {}, headers = {}) => {
    const response = await fetch(`${url}/v1/call`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${secret}`,
        ...headers,
      },
      body: JSON.stringify({ tool_slug: `maya.${instance?.id8}.${name}`, arguments: args }),
    });
    const { structuredContent } = (await response.json()) as { structuredContent: unknown };
    return { told: structuredContent, traceId: String(response.headers.get('x-svc-trace-id')) };
  };
  const take = async (traceId: string, count: number): Promise<CollectedSpan[]> => {
    const found = () => spans.filter(each => each.traceId === traceId);
    await waitFor(() => found().length >= count, `${count} spans`);
    return found().sort((a, b) => b.durationMs - a.durationMs);
  };

  const { told } = await call('tells', { token: secret }, { traceparent, tracestate: 'a=b' });
  const all = await take(trace, 5);
  const chain = all.map(each => [each.name, each.kind, each.resource['service.name']]);
  expect(chain).toEqual([
    ['POST /v1/call', 2, 'svc-gateway'],
    ['tools/call tells', 3, 'svc-gateway'],
    ['tools/call tells', 2, 'maya-of-ada'],
    ['execute_tool tells', 1, 'maya-of-ada'],
    ['execute_tool script', 1, 'maya-of-ada'],
  ]);
  expect(all.map(each => each.parentSpanId)).toEqual(['b7ad6b7169203331', ...all.slice(0, 4).map(each => each.spanId)]);
  expect(all.map(each => each.attributes['error.type'])).toEqual(Array(5).fill(undefined));
  expect(all[2]?.attributes).toMatchObject({
    ...{ 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'tells', 'gen_ai.operation.name': 'execute_tool' },
    ...{ 'mcp.session.id': expect.any(String), 'jsonrpc.request.id': expect.any(String), 'network.transport': 'tcp' },
  });
  expect(all[3]?.attributes).toMatchObject({ 'svc.skill.name': 'probe', 'gen_ai.tool.name': 'tells' });
  expect(all[3]?.resource).toMatchObject({
    ...{ 'service.instance.id': instance?.id, 'svc.dcc_type': 'maya', 'deployment.environment.name': 'test' },
    'telemetry.sdk.language': 'nodejs',
  });
  // What the skill and its script could pass on themselves.
  expect(told).toMatchObject({
    trace: { traceparent: `00-${trace}-${all[3]?.spanId}-01`, tracestate: 'a=b' },
    script: { structuredContent: { traceparent: `00-${trace}-${all[4]?.spanId}-01`, tracestate: 'a=b' } },
  });

  const { traceId } = await call('fails', { token: secret });
  const failed = await take(traceId, 4);
  expect(failed.map(each => [each.status, each.statusMessage])).toEqual(Array(4).fill([2, '']));
  expect(failed[3]?.attributes['error.type']).toBe('SVC_SKILLS_RUNTIME_TOOL_FAILED');
  expect(failed[0]?.attributes['error.type']).toBe('502');

  // What the gateway reads of its instance by itself is nobody's request.
  expect(spans.filter(each => ![trace, traceId].includes(each.traceId))).toEqual([]);
  const loaded = await fetch(`${url}/v1/load_skill`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"skill_name":"probe"}',
  });
  const load = await take(String(loaded.headers.get('x-svc-trace-id')), 4);
  expect(load.map(each => each.name)).toContain('execute_tool load_skill');

  expect(raw()).not.toContain(secret);
  expect(requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-studio': 'blue' } });
});

test('a request names its own trace before the headers, which are linked; names that callers make up are none of ours', async () => {
  const { url: otel_endpoint, spans } = await collector();
  const { app, url, instances } = await gatewayRig([tracingPlugin, gatewayPlugin, otelPlugin], [{ dcc_type: 'maya' }], {
    otel_endpoint,
  });
  await app.capabilities.refresh();
  const client = await connect(`${url}/mcp`, { headers: { traceparent: traceparent.replace('b7', 'c8') } });
  await client.request('tools/list', { _meta: { traceparent } });
  await client.request('made_up/by_a_caller', { name: secret });
  await client.request('tools/call', { name: secret, arguments: {} });
  const asked = () => spans.filter(each => !each.name.startsWith('notifications/'));
  await waitFor(() => asked().length >= 3, 'the spans');
  const [list, unknown, tool] = asked();
  expect(list).toMatchObject({ name: 'tools/list', parentSpanId: 'b7ad6b7169203331', links: ['c8ad6b7169203331'] });
  expect(unknown).toMatchObject({ name: '_OTHER', attributes: { 'error.type': '-32601' }, status: 2 });
  expect(tool?.name).toBe('tools/call [redacted]');
  expect(instances).toHaveLength(1);
});

test('a collector that is not there, hangs or talks nonsense: told once, and nothing waits for it', async () => {
  const hang = await collector(() => undefined);
  const nonsense = await collector(response => void response.writeHead(200).end('<html>'.repeat(1000)));
  const refusal = await collector(response => void response.writeHead(403).end(`no ${secret}`));
  const nobody = { url: 'http://127.0.0.1:9' };
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '100');
  for (const [each, warnings] of [
    [hang, 1],
    [nonsense, 0],
    [refusal, 1],
    [nobody, 1],
  ] as const) {
    const { app, url } = await listeningApp([tracingPlugin, otelPlugin], {
      ...{ otel_endpoint: each.url.replace('//', '//ada:word@'), otel_flush_ms: 100, log_level: 'warn' },
    });
    for (let round = 0; round < 3; round += 1) {
      app.tracing.start({ name: 'x', kind: 'internal', parent: undefined, attributes: {} }).end();
      await new Promise(resolve => setTimeout(resolve, 130));
    }
    expect((await fetch(`${url}/nowhere`)).status).toBe(404);
    const lines = () => app.kernel.logTail(100).filter(line => line.includes('spans'));
    await expect.poll(lines, { message: each.url }).toHaveLength(warnings);
    expect(lines().join()).not.toMatch(/ghp_|ada|word/);
    const began = performance.now();
    await app.close();
    // An export may take ten seconds where nothing else is said.
    expect(performance.now() - began, each.url).toBeLessThan(5000);
  }
});

test('the end sends what waits, of a queue that has one; what is not sampled is neither sent nor sampled later', async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '60000');
  vi.stubEnv('OTEL_BSP_MAX_QUEUE_SIZE', '3');
  const { url: otel_endpoint, spans } = await collector();
  const opened = () => listeningApp([tracingPlugin, otelPlugin], { otel_endpoint, otel_service_name: 'mine' });
  const { app } = await opened();
  const begin = (from = app) => from.tracing.start({ name: 'x', kind: 'internal', parent: undefined, attributes: {} });
  for (let index = 0; index < 10; index += 1) begin().end();
  await app.close();
  // Three on their way, three that wait, and no more.
  expect(spans.map(each => each.resource['service.name'])).toEqual(Array(6).fill('mine'));
  expect(app.tracing.on).toBe(false);

  vi.stubEnv('OTEL_TRACES_SAMPLER', 'parentbased_traceidratio');
  vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', '0');
  const { app: sampling } = await opened();
  const root = begin(sampling);
  root.end();
  expect(root.context.traceparent).toMatch(/-00$/);
  const asked = sampling.tracing.start({ name: 'x', kind: 'server', parent: { traceparent }, attributes: {} });
  asked.end();
  expect(asked.context.traceparent).toMatch(/-01$/);
  await sampling.close();
  expect(spans.slice(6).map(each => each.traceId)).toEqual([trace]);
});

test('where spans go: settings, then the standard variables; what cannot be used is named', () => {
  const problems: string[] = [];
  const off = { otel_enabled: false, otel_endpoint: null, otel_service_name: null, otel_flush_ms: 1, dcc_type: null };
  const urlOf = (env: Record<string, string>, settings = {}) =>
    targetOf({ ...off, ...settings }, env, problem => problems.push(problem))?.url.href;
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/base/' };
  expect(urlOf({})).toBeUndefined();
  expect(urlOf({}, { otel_enabled: true })).toBe('http://localhost:4318/v1/traces');
  expect(urlOf(endpoint)).toBe('http://c:4318/base/v1/traces');
  expect(urlOf({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t/x' })).toBe('https://t/x');
  expect(urlOf(endpoint, { otel_endpoint: 'http://mine' })).toBe('http://mine/v1/traces');
  for (const each of [{ OTEL_SDK_DISABLED: 'TRUE' }, { OTEL_TRACES_EXPORTER: 'none' }]) {
    expect(urlOf({ ...endpoint, ...each }, { otel_enabled: true })).toBeUndefined();
  }
  expect(problems).toEqual([]);
  urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' });
  urlOf({ ...endpoint, OTEL_TRACES_EXPORTER: 'zipkin' });
  urlOf({ ...endpoint, OTEL_TRACES_SAMPLER: 'some', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
  expect(problems.map(each => each.split(' ')[0])).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_TRACES_EXPORTER',
    'OTEL_TRACES_SAMPLER',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
  ]);
});
