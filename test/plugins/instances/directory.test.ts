import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { ended, idleProcess, input, writeRow } from './registry/support.ts';
import { directory, thrown } from './support.ts';

const old = async (registry_dir: string, id: string, secs: number): Promise<void> => {
  const then = Date.now() / 1000 - secs;
  await utimes(join(registry_dir, 'instances', `${id}.json`), then, then);
};

describe('rows of files', () => {
  test('appear when they are published, change when they are written, go when they are removed [spec:shape:instances]', async () => {
    const { app, instances, changes, ids } = await directory();
    const published = await app.registry.publish(input({ dcc_type: 'blender' }));
    const id = published.row.instance_id;
    await waitFor(() => ids().includes(id), 'the row');
    const { generation } = instances;
    expect(instances.get(id)).toMatchObject({ status: 'available', routable: true, source: 'file', stale: false });
    expect(instances.get(id)).toMatchObject({
      mcp_url: 'http://127.0.0.1:40000/mcp',
      origin: 'http://127.0.0.1:40000',
    });
    await published.update({ status: 'busy', scene: '/a.blend' });
    await waitFor(() => instances.get(id)?.status === 'busy', 'the change');
    expect(instances.generation).toBeGreaterThan(generation);
    await published.remove();
    await waitFor(() => ids().length === 0, 'the removal');
    expect(changes.map(each => [each.name, each.reason])).toEqual([
      ['instance.appeared', undefined],
      ['instance.changed', undefined],
      ['instance.left', 'deregistered'],
    ]);
  });

  test('a heartbeat alone is no change', async () => {
    const { app, instances, changes, ids } = await directory();
    const published = await app.registry.publish(input());
    await waitFor(() => ids().length === 1, 'the row');
    const { generation } = instances;
    const before = instances.list()[0]?.last_heartbeat ?? 0;
    await new Promise(resolve => setTimeout(resolve, 15));
    await published.heartbeat();
    await instances.refresh();
    expect(instances.list()[0]?.last_heartbeat).toBeGreaterThan(before);
    expect(instances.generation).toBe(generation);
    expect(changes).toHaveLength(1);
  });

  test('kill -9 of the owner: gone within a second, its file too, and remembered [spec:instances:include-dead spec:instances:counters]', async () => {
    const { app, instances, changes, events, ids } = await directory();
    const child = idleProcess();
    const { row } = await app.registry.publish(input({ pid: child.pid }));
    const other = await app.registry.publish(input({ port: 40_001 }));
    await waitFor(() => ids().length === 2, 'the rows');
    child.kill('SIGKILL');
    await ended(child);
    await waitFor(() => ids().length === 1, 'the dead row to go', 1500);
    expect(ids()).toEqual([other.row.instance_id]);
    expect(ids({ include_dead: true })).toContain(row.instance_id);
    expect(instances.counts()).toMatchObject({ total: 1, evicted_dead: 1 });
    expect(changes.at(-1)).toMatchObject({ name: 'instance.left', reason: 'exited', routable: false });
    const [dead] = instances.list({ include_dead: true }).filter(each => each.dead);
    expect(dead && instances.toRow(dead)).toMatchObject({
      ...{ instance_id: row.instance_id, dead: true, status: 'unreachable', pool: { available: false } },
      instance_status: { retryable: false, recommended_next_action: expect.stringContaining('has ended') },
      diagnostics: { last_error: { kind: 'exited', message: `process ${child.pid} has ended` } },
    });
    expect(events.list().at(-1)).toMatchObject({ event: 'ghost_reaped', instance_id: row.instance_id.slice(0, 8) });
    await waitFor(async () => (await app.registry.read()).rows.length === 1, 'the file to go');
    expect(thrown(() => instances.resolve(row.instance_id))).toMatchObject({
      row: { http: 410, kind: 'instance-offline' },
      details: { previous_status: 'exited', previous_instance_id: row.instance_id },
    });
  });

  test('who finds nobody there has the process looked at, and a dead one goes at once', async () => {
    const { app, instances, ids } = await directory();
    const child = idleProcess();
    const { row } = await app.registry.publish(input({ pid: child.pid }));
    await waitFor(() => ids().length === 1, 'the row');
    instances.check(row.instance_id);
    expect(ids()).toEqual([row.instance_id]);
    child.kill('SIGKILL');
    await ended(child);
    instances.check(row.instance_id);
    expect(ids()).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('a row whose process id was taken by another process is dead', async () => {
    const { instances, ids, registry_dir } = await directory();
    const id = await writeRow(registry_dir, { pid: process.pid, extras: { process_start: '1' } });
    await instances.refresh();
    expect(ids()).toEqual([]);
    expect(ids({ include_dead: true })).toEqual([id]);
    expect(instances.counts().evicted_dead).toBe(1);
    await instances.refresh();
    expect(instances.counts().evicted_dead).toBe(1);
  });

  test('a row that turns stale is told of in the ring', async () => {
    const { app, instances, events, registry_dir } = await directory();
    const { row } = await app.registry.publish(input());
    await instances.refresh();
    await old(registry_dir, row.instance_id, 40);
    await instances.refresh();
    expect(events.list().at(-1)).toMatchObject({
      event: 'stale',
      reason: expect.stringMatching(/^no heartbeat for 4\d s$/),
    });
  });

  test('a stale row is shown as such and not called; a heartbeat makes it fresh [spec:instances:default-view spec:instances:include-stale]', async () => {
    const { app, instances, ids, registry_dir, changes } = await directory({ stale_timeout_secs: 30 });
    const published = await app.registry.publish(input());
    const id = published.row.instance_id;
    await old(registry_dir, id, 31);
    await instances.refresh();
    expect(instances.get(id)).toMatchObject({ status: 'stale', stale: true, routable: false });
    expect([ids(), ids({ include_stale: false }), instances.live()]).toEqual([[id], [], []]);
    expect(instances.counts()).toMatchObject({ total: 1, stale_count: 1 });
    expect(thrown(() => instances.resolve(id))).toMatchObject({
      row: { http: 503 },
      details: { previous_status: 'stale' },
    });
    expect(instances.find(id.slice(0, 8)).instance_id).toBe(id);
    await published.heartbeat();
    await instances.refresh();
    expect(instances.get(id)).toMatchObject({ status: 'available', routable: true });
    expect(changes.map(each => each.name)).toEqual(['instance.appeared', 'instance.changed']);
  });

  test('a row becomes stale by time alone', async () => {
    const { app, instances, ids } = await directory({ stale_timeout_secs: 1, heartbeat_secs: 60 });
    await app.registry.publish(input());
    await waitFor(() => ids().length === 1, 'the row');
    await waitFor(() => instances.list()[0]?.stale, 'staleness');
  });

  test('a row whose heartbeats come in time is never stale, however seldom the gateway has its own', async () => {
    const { app, changes } = await directory({ stale_timeout_secs: 2, heartbeat_secs: 60 });
    const { heartbeat } = await app.registry.publish(input());
    let beats = 0;
    const beating = setInterval(() => void heartbeat().then(() => (beats += 1)), 250);
    onTestFinished(() => clearInterval(beating));
    await waitFor(() => beats >= 14, 'more heartbeats than the timeout holds');
    expect(changes.map(each => each.name)).toEqual(['instance.appeared']);
  });

  test('heartbeats that are switched off make no row stale', async () => {
    const { app, instances, registry_dir } = await directory();
    const { row } = await app.registry.publish(input({ extras: { heartbeat_secs: 0 } }));
    await old(registry_dir, row.instance_id, 3600);
    await instances.refresh();
    expect(instances.live()).toHaveLength(1);
  });

  test('a row without an owner is forgotten after ten times the stale timeout', async () => {
    const { instances, ids, registry_dir } = await directory({ stale_timeout_secs: 30 });
    const id = await writeRow(registry_dir);
    await old(registry_dir, id, 200);
    await instances.refresh();
    expect(ids()).toEqual([id]);
    await old(registry_dir, id, 301);
    await instances.refresh();
    expect(ids()).toEqual([]);
  });
});

describe('rows that are none', () => {
  test('the gateway itself, its sentinel and unknown types are not offered [spec:instances:bookkeeping]', async () => {
    const { instances, ids, registry_dir, url } = await directory();
    const port = Number(new URL(url).port);
    for (const host of ['127.0.0.1', 'localhost', '::1', '0.0.0.0']) await writeRow(registry_dir, { host, port });
    await writeRow(registry_dir, { dcc_type: '__gateway__', pid: process.pid });
    const unknown = await writeRow(registry_dir, { dcc_type: 'unknown' });
    await instances.refresh();
    expect(ids()).toEqual([unknown]);
    expect(instances.live()).toEqual([]);
    const own = instances.problems().filter(each => each.reason.includes('the gateway itself'));
    expect(own).toHaveLength(4);
    await instances.refresh();
    expect(instances.problems()).toHaveLength(4);
  });

  test('a port that another instance took belongs to the newer row', async () => {
    const { instances, registry_dir } = await directory();
    const before = await writeRow(registry_dir, { port: 41_000, registered_at: 100 });
    const after = await writeRow(registry_dir, { port: 41_000, registered_at: 200, host: 'localhost' });
    await instances.refresh();
    expect(instances.live().map(each => each.instance_id)).toEqual([after]);
    expect(instances.get(before)).toMatchObject({ status: 'unreachable', routable: false });
    expect(instances.problems().at(-1)?.reason).toContain(`taken by instance ${after}`);
    await rm(join(registry_dir, 'instances', `${after}.json`));
    await instances.refresh();
    expect(instances.live().map(each => each.instance_id)).toEqual([before]);
  });

  test('garbage is told as a problem and the rest is served', async () => {
    const { instances, registry_dir, getJson } = await directory();
    const good = await writeRow(registry_dir);
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(registry_dir, 'instances', 'nul.json'), Buffer.alloc(100));
    await writeRow(registry_dir, { schema_version: 9 });
    await instances.refresh();
    const { body } = await getJson('/v1/instances');
    expect(body).toMatchObject({ total: 1, instances: [{ instance_id: good }] });
    expect(instances.problems().map(each => each.reason)).toEqual([
      expect.stringMatching(/NUL|newer/),
      expect.stringMatching(/NUL|newer/),
    ]);
  });
});
