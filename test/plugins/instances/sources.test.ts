import { describe, expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { emptyRow, input, writeRow } from './registry/support.ts';
import { directory } from './support.ts';

describe('sources', () => {
  test('http wins over file while it is fresh; the lease is what the file says [spec:discovery:precedence]', async () => {
    const { app, instances } = await directory();
    const published = await app.registry.publish(input({ capacity: 3, lease_owner: 'bot' }));
    const { row } = published;
    await instances.refresh();
    const http = instances.source('http');
    const metadata = { mcp_url: 'http://10.1.2.3:9000/mcp' };
    const far = { ...row, host: '10.1.2.3', port: 9000, capacity: 1, lease_owner: null, metadata };
    http.assert(far, { ttlMs: 60_000, meta: { via: 'test' } });
    expect(instances.get(row.instance_id)).toMatchObject({
      source: 'http',
      source_meta: { via: 'test' },
      host: '10.1.2.3',
      mcp_url: 'http://10.1.2.3:9000/mcp',
      row: { capacity: 3, lease_owner: 'bot' },
    });
    instances.source('mdns').assert(far);
    expect(instances.counts()).toMatchObject({ total: 1, by_source: { file: 0, http: 1, mdns: 0, relay: 0 } });
    expect(http.retract(row.instance_id, 'deregistered')).toBe(true);
    expect(instances.get(row.instance_id)?.source).toBe('mdns');
    instances.source('mdns').retract(row.instance_id, 'goodbye');
    expect(instances.get(row.instance_id)).toMatchObject({ source: 'file', host: '127.0.0.1' });
    expect(http.retract(row.instance_id, 'again')).toBe(false);
  });

  test('a row whose time to live is over goes by itself', async () => {
    const { instances, changes } = await directory();
    const row = emptyRow({ host: '10.0.0.1', instance_id: '12345678-0000-4000-8000-000000000000' });
    instances.source('http').assert(row, { ttlMs: 50 });
    expect(instances.live()).toHaveLength(1);
    await waitFor(() => instances.list().length === 0, 'the end of the row');
    expect(changes.at(-1)).toMatchObject({ name: 'instance.left', reason: 'heartbeat-timeout' });
  });

  test('a remote row that nobody answers at stays for its time to live, heartbeats or not [spec:discovery:eviction]', async () => {
    const { instances, events, changes } = await directory();
    const row = emptyRow({ host: '10.0.0.1', instance_id: '12345678-0000-4000-8000-000000000000' });
    const beat = () => instances.source('http').assert(row, { ttlMs: 300 });
    const probe = () => instances.report(row.instance_id, { kind: 'unreachable', message: 'refused' });
    beat();
    for (let count = 0; count < 5; count += 1) probe();
    expect(instances.get(row.instance_id)).toMatchObject({ status: 'unreachable', routable: false });
    await waitFor(() => {
      beat();
      probe();
      return instances.get(row.instance_id) === undefined;
    }, 'the end of the row');
    expect(changes.at(-1)).toMatchObject({ name: 'instance.left', reason: 'unreachable' });
    expect(events.list().map(each => [each.event, each.reason])).toEqual([
      ['probe_unreachable', 'refused'],
      ['auto_deregister', 'no connection for longer than its time to live of 0.3 s: refused'],
    ]);
  });

  test('a row whose answers count lives on while it answers; who registers anew begins anew', async () => {
    const { instances, events } = await directory();
    const row = emptyRow({ host: '10.0.0.1', instance_id: '12345678-0000-4000-8000-000000000000', registered_at: 1 });
    const http = instances.source('http');
    http.assert(row, { ttlMs: 200, answering: true });
    const end = Date.now() + 600;
    await waitFor(() => {
      instances.report(row.instance_id, { kind: 'reachable' });
      return Date.now() > end;
    }, 'three times its time');
    expect(instances.get(row.instance_id)).toMatchObject({ status: 'available' });
    instances.report(row.instance_id, { kind: 'unreachable', message: 'refused' });
    http.assert({ ...row, registered_at: 2 }, { ttlMs: 200 });
    expect(instances.get(row.instance_id)).toMatchObject({ status: 'available' });
    await waitFor(() => instances.list().length === 0, 'its end');
    expect(events.list().at(-1)).toMatchObject({
      event: 'auto_deregister',
      reason: 'neither heartbeat nor answer within its time to live of 0.2 s',
    });
  });

  test('behind a relay the REST paths share the path of the MCP address', async () => {
    const { instances } = await directory();
    const metadata = { mcp_url: 'https://relay.example/tunnel/t1/mcp' };
    instances.source('relay').assert(emptyRow({ host: '10.0.0.1', metadata }));
    expect(instances.list()[0]).toMatchObject({ origin: 'https://relay.example/tunnel/t1', source: 'relay' });
  });
});

describe('routes', () => {
  test('GET /instances and /v1/instances: live rows only, in full [spec:instances:get-instances spec:instances:get-v1-instances spec:instances:row-fields]', async () => {
    const { instances, registry_dir, getJson } = await directory();
    const id = await writeRow(registry_dir, { scene: '/a.ma', version: '2026', display_name: 'Anna' });
    await writeRow(registry_dir, { port: 40_002, status: 'booting' });
    await instances.refresh();
    const { status, body } = await getJson('/v1/instances');
    expect(status).toBe(200);
    expect((await getJson('/instances')).body).toEqual(body);
    expect(body).toMatchObject({ total: 1, by_source: { file: 1, http: 0, mdns: 0, relay: 0 } });
    const short = id.slice(0, 8);
    expect(body.instances[0]).toMatchObject({
      instance_id: id,
      instance_short: short,
      display_id: `maya@2026-${short}`,
      dcc_type: 'maya',
      mcp_url: 'http://127.0.0.1:40000/mcp',
      source: 'file',
      status: 'available',
      scene: '/a.ma',
      documents: [],
      pid: null,
      display_name: 'Anna',
      version: '2026',
      adapter_version: null,
      adapter_dcc: null,
      metadata: {},
      stale: false,
      lifecycle: { role: 'runtime', supports_safe_stop: false },
      gateway: { recovery_driver: 'none', registration_refresh_mode: 'file_registry_heartbeat' },
      instance_status: { status: 'available', dispatch_status: 'unknown', retryable: true },
      dispatch: { reported: false, status: 'not_reported', ready: null },
      pool: { capacity: 1, available: true },
      host_execution: { status: 'unknown', missing_bits: [] },
    });
  });

  test('GET /v1/instances/{id}/context: one row, by any of its names; unknown is 404', async () => {
    const { instances, registry_dir, getJson } = await directory();
    const id = await writeRow(registry_dir);
    await instances.refresh();
    for (const given of [id, id.slice(0, 8), id.slice(0, 4)]) {
      expect((await getJson(`/v1/instances/${given}/context`)).body.instance_id).toBe(id);
    }
    const missing = await getJson('/v1/instances/zzzz1111/context');
    expect(missing).toMatchObject({ status: 404, body: { kind: 'instance-not-found' } });
    expect(await getJson('/v1/instances/abc/context')).toMatchObject({ status: 400, body: { kind: 'bad-request' } });
  });
});
