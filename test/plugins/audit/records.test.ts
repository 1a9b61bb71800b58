/** Calls through a real gateway, recorded in files: every door, who called, where the time went, no secret; after a restart too. */
import { appendFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AuditRow, TraceRow } from '../../../plugins/audit/records/api.ts';
import { callRecordsPlugin } from '../../../plugins/audit/records/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { connect } from '../../spec/wire.ts';
import { wholeLines } from '../../whole-lines.ts';
import { startGateway } from '../gateway/rig.ts';
import { raw, startHost, toolsOfHost } from '../gateway/support.ts';

/** Made here, so that nobody who scans the repository finds a credential. */
const secret = `${'gh'}p_${'Ab3dEf6hIj9l'.repeat(3)}`;

test('every door of the gateway: rows of audit.jsonl and traces.jsonl as the contract lists them [spec:limit:gateway-audit spec:shape:audit-rows]', async () => {
  const registry_dir = await tempDir();
  const gateway_audit_dir = join(await tempDir(), 'audit');
  const host = await startHost(registry_dir, { setup: toolsOfHost });
  const options = { registry_dir, gateway_audit_dir };
  const first = await startGateway([gatewayRestPlugin, callRecordsPlugin], options);
  await first.backend(host.id);
  await first.app.capabilities.refresh();
  const slug = (name: string): string => `maya.${host.short}.${name}`;
  const post = (body: object, headers: Record<string, string> = {}) =>
    raw(first.url, '/v1/call', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const agent_context = { agent_id: 'bot-7', agent_model: 'm-1', llm_usage: { prompt_tokens: 12, model: 'm-1' } };
  await post(
    { tool_slug: slug('echo'), arguments: { text: `see ${secret}` }, meta: { agent_context } },
    {
      traceparent,
      'x-request-id': 'req-1',
      'x-svc-actor-name': 'Ann',
      'user-agent': 'studio/2.1 (x)',
      authorization: `Bearer ${secret}`,
    },
  );
  await post({ tool_slug: slug('throws') }, { 'x-request-id': 'req-2' });
  await post(
    { calls: [{ tool_slug: slug('echo'), arguments: { text: 'a' } }, { tool_slug: 'maya.nobody.x' }] },
    { 'x-request-id': 'req-3' },
  );
  const client = await connect(`${first.url}/mcp`);
  await client.call('call', { tool_slug: slug('fails'), arguments: {} });

  await client.call('search', { query: `paint ${secret}` });
  await raw(first.url, '/v1/describe', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'req-4', 'x-svc-agent-id': 'bot-8' },
    body: JSON.stringify({ tool_slug: 'maya.nobody.x' }),
  });
  await fetch(`${first.url}/v1/load_skill`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ skill_name: 'nowhere' }),
  });

  const [audit, traces] = [join(gateway_audit_dir, 'audit.jsonl'), join(gateway_audit_dir, 'traces.jsonl')];
  const written = async (file: string): Promise<boolean> => (await wholeLines(file)).length >= 8;
  await waitFor(async () => (await written(traces)) && (await written(audit)), 'the rows');
  const rows = await wholeLines<AuditRow>(audit);
  expect(rows.map(each => [each.action, each.success, each.transport])).toEqual([
    [slug('echo'), true, 'rest'],
    [slug('throws'), false, 'rest'],
    [slug('echo'), true, 'rest'],
    ['maya.nobody.x', false, 'rest'],
    [slug('fails'), false, 'mcp'],
    ['search', true, 'mcp'],
    ['describe', false, 'rest'],
    [slug('load_skill'), false, 'rest'],
  ]);
  // What the gateway was asked itself says so.
  expect(rows.map(each => each.operation).slice(4)).toEqual([undefined, 'search', 'describe', undefined]);
  expect(rows[7]?.method).toBe('POST /v1/load_skill');
  expect(rows[6]).toMatchObject({ request_id: 'req-4', method: 'POST /v1/describe', agent_id: 'bot-8' });
  expect(rows[6]?.error).toContain('maya.nobody.x');
  expect(rows[0]).toMatchObject({
    request_id: 'req-1',
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    parent_span_id: 'b7ad6b7169203331',
    method: 'POST /v1/call',
    instance_id: host.id,
    dcc_type: 'maya',
    ...{ agent_id: 'bot-7', agent_model: 'm-1', actor_name: 'Ann', client_platform: 'studio/2.1' },
    ...{ source_ip: '127.0.0.1', source_class: 'loopback', llm_usage: { prompt_tokens: 12, model: 'm-1' } },
    attribution_trust: { agent_id: 'self_reported', actor_name: 'header', source_ip: 'server_derived' },
    token_accounting: { estimator: 'svc-byte4-v1', response_format: 'toon' },
  });
  const { json, toon, returned_bytes } = rows[0]?.token_accounting ?? {};
  expect([json?.tokens, toon?.bytes]).toEqual([Math.ceil((json?.bytes ?? 0) / 4), returned_bytes]);
  expect(rows[1]?.error).toContain('it broke');
  // Each call of a batch is a request of its own.
  expect(rows.slice(2, 4).map(each => each.parent_request_id)).toEqual(['req-3', 'req-3']);
  expect(rows[4]).toMatchObject({
    method: 'tools/call',
    session_id: expect.any(String),
    agent_name: expect.any(String),
  });
  expect(new Set(rows.map(each => each.request_id)).size).toBe(8);

  const [trace, failed] = await wholeLines<TraceRow>(traces);
  expect(trace?.spans.map(each => each.name)).toEqual(['client', 'gateway', 'adapter', 'skill']);
  for (const [index, span] of (trace?.spans ?? []).entries()) {
    const outer = trace?.spans[index - 1];
    if (!outer) continue;
    expect(span.parent_span_id).toBe(outer.span_id);
    // Nanoseconds since the epoch are rounded to what a number holds.
    expect(span.started_ns).toBeGreaterThanOrEqual(outer.started_ns - 1000);
    expect(span.duration_ns).toBeLessThanOrEqual(outer.duration_ns + 1000);
  }
  expect(failed).toMatchObject({ ok: false, error: { message: expect.stringContaining('it broke') } });
  expect(trace?.input?.content).toBe('{"text":"see [redacted]"}');
  for (const file of [audit, traces]) {
    expect(await readFile(file, 'utf8')).not.toContain(secret);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  }

  // What a crash cut off is skipped and counted, and never glued to a new row.
  await first.app.close();
  await appendFile(audit, '{"timestamp":"2026-01-01T00:00:00.000Z","request_id":"torn"');
  const second = await startGateway([gatewayRestPlugin, callRecordsPlugin], options);
  const before = await second.app.callRecords.calls({ limit: 10 });
  expect(before.rows.map(each => each.action)).toEqual(rows.map(each => each.action).reverse());
  expect(await second.app.callRecords.trace('req-1')).toEqual(trace);
  expect(second.app.callRecords.status()).toMatchObject({
    durable: true,
    skipped_invalid: 1,
    dropped: 0,
    problem: null,
  });
  await second.backend(host.id);
  const headers = { 'content-type': 'application/json' };
  await raw(second.url, '/v1/call', {
    ...{ method: 'POST', headers, body: JSON.stringify({ tool_slug: 'maya.nobody.y' }) },
  });
  const after = await second.app.callRecords.calls({ limit: 2 });
  expect(after.rows.map(each => each.action)).toEqual(['maya.nobody.y', slug('load_skill')]);
  expect(after.total).toBe(9);
  const next = await second.app.callRecords.calls({ limit: 2, cursor: after.next_cursor });
  expect(next.rows.map(each => each.action)).toEqual(['describe', 'search']);
  await expect(second.app.callRecords.calls({ limit: 2, cursor: 'x' })).rejects.toMatchObject({
    code: 'SVC_RECORDS_CURSOR',
  });
});
