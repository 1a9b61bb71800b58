import { describe, expect, test } from 'vitest';
import { input, writeRow } from './registry/support.ts';
import { directory, thrown } from './support.ts';

const id = (start: string): string => `${start}-1111-4000-8000-000000000000`;

describe('which instance is meant', () => {
  test('UUID, short id, prefix; with and without dashes, in any case [spec:instances:by-name]', async () => {
    const { instances, registry_dir } = await directory();
    await writeRow(registry_dir, { instance_id: id('abcd1234'), port: 1 });
    await writeRow(registry_dir, { instance_id: id('abce9999'), port: 2 });
    await instances.refresh();
    for (const given of [id('abcd1234'), 'abcd1234', 'abcd', 'ABCD1234', 'abcd1234-1111', 'abcd12341111400080']) {
      expect(instances.resolve(given).instance_id, given).toBe(id('abcd1234'));
    }
  });

  test('refusals name what is wrong and what to do', async () => {
    const { instances, registry_dir } = await directory();
    await writeRow(registry_dir, { instance_id: id('abcd1234'), port: 1 });
    await writeRow(registry_dir, { instance_id: id('abcd9999'), port: 2, dcc_type: 'blender' });
    await writeRow(registry_dir, { instance_id: id('feed0000'), port: 3, status: 'booting' });
    await instances.refresh();
    expect(thrown(() => instances.resolve('abc'))).toMatchObject({ row: { http: 400, kind: 'bad-request' } });
    expect(thrown(() => instances.resolve(''))).toMatchObject({ row: { http: 400, kind: 'bad-request' } });
    const several = thrown(() => instances.resolve('abcd'));
    expect(several).toMatchObject({ row: { http: 409, kind: 'ambiguous' } });
    expect(several.details.candidates).toEqual([
      `blender:${id('abcd9999')}:abcd9999`,
      `maya:${id('abcd1234')}:abcd1234`,
    ]);
    expect(thrown(() => instances.resolve('dead'))).toMatchObject({
      row: { http: 404, kind: 'instance-offline' },
      details: { previous_status: 'never-registered', previous_instance_id: null },
    });
    expect(thrown(() => instances.resolve('feed'))).toMatchObject({
      row: { http: 503, kind: 'instance-offline' },
      details: { previous_status: 'booting', previous_instance_id: id('feed0000'), retryable: true },
    });
  });

  test('among several instances none is guessed', async () => {
    const { instances, registry_dir } = await directory();
    expect(thrown(() => instances.choose({}))).toMatchObject({ row: { http: 503, kind: 'instance-offline' } });
    const maya = await writeRow(registry_dir, { port: 1 });
    await instances.refresh();
    expect(instances.choose({}).instance_id).toBe(maya);
    expect(instances.choose({ dcc_type: 'MAYA' }).instance_id).toBe(maya);
    expect(thrown(() => instances.choose({ dcc_type: 'blender' })).message).toContain('of type blender');
    expect(thrown(() => instances.choose({ instance_id: maya, dcc_type: 'blender' }))).toMatchObject({
      row: { http: 400, kind: 'bad-request' },
    });
    const blender = await writeRow(registry_dir, { port: 2, dcc_type: 'blender' });
    await instances.refresh();
    expect(instances.choose({ dcc_type: 'blender' }).instance_id).toBe(blender);
    const several = thrown(() => instances.choose({}));
    expect(several).toMatchObject({ row: { http: 400, kind: 'ambiguous-instance' } });
    expect(several.details.candidates).toHaveLength(2);
  });
});

describe('findings', () => {
  test('an unreachable instance is not offered, and is again when it answers', async () => {
    const { app, instances, events } = await directory();
    const { row } = await app.registry.publish(input());
    await instances.refresh();
    const { instance_id } = row;
    instances.report(instance_id, { kind: 'unreachable', message: 'refused' });
    instances.report(instance_id, { kind: 'unreachable', message: 'refused' });
    instances.report(instance_id, { kind: 'unreachable', message: 'refused' });
    expect(instances.get(instance_id)).toMatchObject({ status: 'unreachable', routable: false });
    expect(events.list().map(each => each.event)).toEqual(['probe_unreachable']);
    const bits = { process: true, dcc: true, skill_catalog: true, dispatcher: true };
    const readiness = { ...bits, host_execution_bridge: true, main_thread_executor: false };
    instances.report(instance_id, { kind: 'reachable', readiness });
    expect(instances.get(instance_id)).toMatchObject({ status: 'available', routable: true, probe: { readiness } });
    expect(instances.toRow(instances.resolve(instance_id))).toMatchObject({
      host_execution: { status: 'not_ready', missing_bits: ['main_thread_executor'] },
      diagnostics: { readiness },
    });
    instances.report(instance_id, { kind: 'booting', message: 'not ready' });
    expect(instances.get(instance_id)?.status).toBe('booting');
    instances.report('00000000-0000-4000-8000-000000000000', { kind: 'unreachable', message: 'nobody' });
  });

  test('a host that died is gone at once and stays so, though its server lives', async () => {
    const { app, instances, events } = await directory();
    const published = await app.registry.publish(input());
    const { instance_id } = published.row;
    await instances.refresh();
    instances.report(instance_id, { kind: 'host-died', message: 'segmentation fault' });
    expect(instances.get(instance_id)).toBeUndefined();
    expect(events.list().at(-1)).toMatchObject({ event: 'host_died', reason: 'segmentation fault' });
    expect(thrown(() => instances.resolve(instance_id))).toMatchObject({
      row: { http: 410 },
      details: { previous_status: 'host-died' },
    });
    await published.heartbeat();
    await instances.refresh();
    expect(instances.get(instance_id)).toBeUndefined();
  });

  test('a follower that throws harms no other', async () => {
    const { app, instances, changes } = await directory();
    const stop = app.kernel.bus.on('instance.appeared', () => {
      throw new Error('follower');
    });
    await app.registry.publish(input());
    await instances.refresh();
    expect(changes).toHaveLength(1);
    void stop();
  });
});
