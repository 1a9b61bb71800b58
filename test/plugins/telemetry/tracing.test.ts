/** Spans of a gateway and what it passes on, taken where they are made: through a real gateway and a real instance. */
import { expect, test } from 'vitest';
import { createIds } from '../../../kernel/index.ts';
import { gatewayPlugin } from '../../../plugins/gateway/index.ts';
import { proxyPlugin } from '../../../plugins/gateway/proxy/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import type { SpanRecord } from '../../../plugins/telemetry/tracing/api.ts';
import { tracingPlugin } from '../../../plugins/telemetry/tracing/index.ts';
import { createTracing } from '../../../plugins/telemetry/tracing/tracing.ts';
import { traceContextOf, traceOf } from '../../../schemas/traceparent.ts';
import { waitFor } from '../../helper.ts';
import { connect, type Json } from '../../spec/wire.ts';
import { gatewayRig } from '../gateway/rig.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${trace}-b7ad6b7169203331-01`;
const tool = (name: string) => ({ name, description: 'Tells.', input_schema: { type: 'object' } });

test('a call through the gateway: one trace, over MCP, REST and the proxy; nothing of it while nobody takes spans', async () => {
  const metas: Json[] = [];
  const { app, url, instances } = await gatewayRig(
    [tracingPlugin, gatewayPlugin, gatewayRestPlugin, proxyPlugin],
    [
      {
        dcc_type: 'maya',
        tools: [
          { definition: tool('tells'), handler: (_args, { meta }) => void metas.push({ ...meta }) },
          {
            definition: tool('fails'),
            handler: () => {
              throw new Error('no: sk-live-0123456789abcdef');
            },
          },
        ],
      },
    ],
  );
  await app.capabilities.refresh();
  const slug = (name: string) => `maya.${instances[0]?.id8}.${name}`;
  const spans: SpanRecord[] = [];
  // What the request itself says comes before what is said around it.
  const headers = { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
  const client = await connect(`${url}/mcp`, { protocolVersion: '2025-06-18', headers });
  const call = (name: string, meta?: Json) => client.call('call', { tool_slug: slug(name) }, meta);

  await call('tells', { traceparent });
  expect(metas.splice(0)).toMatchObject([{ traceparent }]);

  const stop = app.tracing.subscribe(span => void spans.push(span));
  await call('tells', { traceparent, tracestate: 'a=b', baggage: 'user=1' });
  const [out, inner] = spans.splice(0);
  expect(inner).toMatchObject({
    ...{ name: 'tools/call call', kind: 'server', trace_id: trace, parent_span_id: 'b7ad6b7169203331' },
    ...{ trace_state: 'a=b', error_type: undefined, link: headers },
  });
  expect(inner?.attributes).toMatchObject({
    'mcp.method.name': 'tools/call',
    'mcp.session.id': client.sessionId,
    'mcp.protocol.version': '2025-06-18',
    'gen_ai.tool.name': 'call',
    'jsonrpc.request.id': expect.stringMatching(/^\d+$/),
  });
  expect(out).toMatchObject({ name: 'tools/call tells', kind: 'client', parent_span_id: inner?.span_id });
  expect(out?.attributes).toMatchObject({ 'gen_ai.tool.name': 'tells', 'svc.instance.id': instances[0]?.id });
  expect(out?.duration_ns).toBeGreaterThan(0);
  expect(out?.duration_ns).toBeLessThanOrEqual(inner?.duration_ns ?? 0);
  const passed = `00-${trace}-${out?.span_id}-01`;
  expect(metas.splice(0)).toMatchObject([{ traceparent: passed, tracestate: 'a=b', baggage: 'user=1' }]);

  await call('fails').catch(() => undefined);
  const failed = spans.splice(0);
  expect(failed.map(each => each.name)).toEqual(['tools/call fails', 'tools/call call']);
  expect(failed[1]?.error_type).toBe('tool_error');
  expect(failed[0]?.error_type).toMatch(/^(-32\d{3}|tool_error)$/);
  expect(JSON.stringify(failed)).not.toContain('sk-live');

  const answered = await fetch(`${url}/v1/call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent },
    body: JSON.stringify({ tool_slug: slug('tells') }),
  });
  await answered.text();
  const [below, rest] = spans.splice(0);
  expect(rest).toMatchObject({ name: 'POST /v1/call', trace_id: trace, parent_span_id: 'b7ad6b7169203331' });
  expect(rest?.attributes).toMatchObject({ 'http.response.status_code': 200, 'http.route': '/v1/call' });
  expect(answered.headers.get('traceparent')).toBe(`00-${trace}-${rest?.span_id}-01`);
  expect(below).toMatchObject({ kind: 'client', parent_span_id: rest?.span_id });
  expect(metas.splice(0)).toMatchObject([{ traceparent: `00-${trace}-${below?.span_id}-01` }]);

  const described = await fetch(`${url}/v1/describe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tool_slug: 'maya.ffffffff.none' }),
  });
  await described.text();
  await waitFor(() => spans.some(each => each.name === 'POST /v1/describe'), 'the span of a routed request');
  expect(spans.splice(0).at(-1)?.attributes['http.response.status_code']).toBe(described.status);

  const direct = await connect(`${url}/mcp/${instances[0]?.id}`, { headers: { traceparent } });
  spans.splice(0);
  await direct.call('tells');
  await waitFor(() => spans.length > 0, 'the span of the proxy');
  const [hop] = spans.splice(0);
  expect(hop).toMatchObject({ name: 'POST /mcp/:instance_id', trace_id: trace, parent_span_id: 'b7ad6b7169203331' });
  // The instance takes what the headers say where the request itself says nothing.
  expect(metas.splice(0)).toMatchObject([{ traceparent: `00-${trace}-${hop?.span_id}-01` }]);

  await stop();
  await call('tells', { traceparent });
  expect([spans, metas.splice(0)[0]?.traceparent]).toEqual([[], traceparent]);
});

test('what is no trace context begins a trace of its own; what cannot be passed on is left out', () => {
  const good = { traceparent, tracestate: 'a=b', baggage: 'c=d' };
  expect(traceContextOf(good)).toEqual(good);
  expect(traceContextOf({ traceparent, tracestate: 'a=\r\nx', baggage: 'x'.repeat(9000) })).toEqual({ traceparent });
  const odd = [
    `ff${traceparent.slice(2)}`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `${traceparent}x`,
    traceparent.toUpperCase(),
  ];
  for (const each of odd) expect(traceOf(each), each).toBeUndefined();
  expect(traceOf(`01${traceparent.slice(2)}-more`)).toMatchObject({ traceId: trace });
});

test('who samples decides what goes on; who takes spans and throws harms nobody; a span ends once', () => {
  const failures: unknown[] = [];
  const tracing = createTracing(createIds(), error => failures.push(error));
  const names: string[] = [];
  const ended: string[] = [];
  tracing.subscribe(() => {
    throw new Error('broken');
  });
  tracing.subscribe(({ name }) => names.push(name));
  const undo = tracing.sample(({ name }) => ({ sampled: name === 'yes', ended: span => ended.push(span.name) }));
  expect(() => tracing.sample(() => ({ sampled: true, ended() {} }))).toThrow('sampled already');
  for (const name of ['yes', 'no']) {
    const span = tracing.start({ name, kind: 'internal', parent: { traceparent }, attributes: {} });
    expect(span.context.traceparent.slice(-2)).toBe(name === 'yes' ? '01' : '00');
    span.end('first');
    span.end('second');
    expect(span.error_type).toBe('first');
  }
  void undo();
  const inherited = tracing.start({
    name: 'as it came',
    kind: 'internal',
    parent: { traceparent: traceparent.replace(/1$/, '0') },
    attributes: {},
  });
  expect(inherited.context.traceparent).toMatch(/-00$/);
  expect([names, ended, failures.length]).toEqual([['yes', 'no'], ['yes', 'no'], 2]);
});
