import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { definePlugin, type Plugin } from '../../../../kernel/index.ts';
import { healthPlugin } from '../../../../plugins/health/index.ts';
import type { ServerOptions } from '../../../../plugins/index.ts';
import { registrationPlugin } from '../../../../plugins/instances/registration/index.ts';
import { registryPlugin } from '../../../../plugins/instances/registry/index.ts';
import { mcpPlugin } from '../../../../plugins/mcp/index.ts';
import { searchPlugin } from '../../../../plugins/search/index.ts';
import { toolsPlugin } from '../../../../plugins/tools/index.ts';
import { runProgram, listening as toListen } from '../../../e2e/program.ts';
import { listeningApp, tempDir, waitFor } from '../../../helper.ts';
import { directory } from '../support.ts';

const plugins = [healthPlugin, registryPlugin, registrationPlugin];

async function instance(options: ServerOptions = {}, more: readonly Plugin[] = []) {
  const registry_dir = join(await tempDir(), 'registry');
  const { app, url } = await listeningApp([...plugins, ...more], { registry_dir, ...options });
  const only = async () => (await app.registry.read()).rows[0];
  return { app, url, registry_dir, only };
}

describe('the own row', () => {
  test('says who and where the instance is, and how it gets its gateway [spec:discovery:failover-disabled]', async () => {
    const { app, url, only } = await instance({
      dcc_type: 'maya',
      adapter_version: '3.1',
      scene: '/a.ma',
      gateway_port: 9765,
    });
    expect(await app.registration.announce()).toBe(app.registration.instance_id);
    expect(await only()).toMatchObject({
      alive: true,
      row: {
        instance_id: app.registration.instance_id,
        dcc_type: 'maya',
        adapter_version: '3.1',
        port: Number(new URL(url).port),
        scene: '/a.ma',
        documents: ['/a.ma'],
        pid: process.pid,
        status: 'available',
        metadata: { mcp_url: `${url}/mcp`, gateway_runtime_mode: 'failover_disabled_by_adapter' },
      },
    });
    app.registration.setGateway('daemon-backed', true, 'daemon_guardian');
    await app.registration.update({ display_name: 'Anna', metadata: { colour: 'red', mcp_url: 'ignored' } });
    expect((await only())?.row).toMatchObject({
      display_name: 'Anna',
      metadata: {
        colour: 'red',
        gateway_runtime_mode: 'daemon-backed',
        gateway_guardian_enabled: 'true',
        gateway_recovery_driver: 'daemon_guardian',
        mcp_url: `${url}/mcp`,
      },
    });
    await app.registration.update({ metadata: { colour: '' } });
    expect((await only())?.row.metadata.colour).toBeUndefined();
  });

  test('is booting until the server is ready', async () => {
    let ready = false;
    const slow = definePlugin({ name: 'slow', dependencies: ['health'] }, (app, { scope }) => {
      scope.add(
        'readiness',
        app.health.ready('dcc', () => ready),
      );
    });
    const { app, only } = await instance({}, [slow]);
    await app.registration.announce();
    expect((await only())?.row.status).toBe('booting');
    ready = true;
    await waitFor(async () => (await only())?.row.status === 'available', 'readiness');
  });

  test('is busy while it works on a call, unless its status was given', async () => {
    const registry_dir = await tempDir();
    const { app } = await listeningApp([healthPlugin, mcpPlugin, searchPlugin, toolsPlugin, ...plugins.slice(1)], {
      registry_dir,
    });
    const only = async () => (await app.registry.read()).rows[0];
    await app.registration.announce();
    let release = (): void => undefined;
    const work = () =>
      new Promise<object>(resolve => {
        release = () => resolve({});
      });
    const { tools } = app;
    const definition = { name: 'work', description: 'Works.', input_schema: { type: 'object' } };
    tools.publish('test', [{ definition, handler: work }], { source: 'host' });
    const status = async (wanted: string) => waitFor(async () => (await only())?.row.status === wanted, wanted);
    for (const _ of [1, 2]) {
      const call = tools.call({ name: 'work', args: {}, meta: {} });
      await status('busy');
      release();
      await call;
      await status('available');
    }
    await app.registration.update({ status: 'shutting_down' });
    const call = tools.call({ name: 'work', args: {}, meta: {} });
    await new Promise(resolve => setTimeout(resolve, 600));
    expect((await only())?.row.status).toBe('shutting_down');
    release();
    await call;
  });

  test('says that it is leaving while calls are drained, and goes at the end', async () => {
    let entered = false;
    let answer: (value: object) => void = () => undefined;
    const answered = new Promise<object>(resolve => {
      answer = resolve;
    });
    const slow = definePlugin({ name: 'slow' }, app => {
      app.get('/slow', () => {
        entered = true;
        return answered;
      });
    });
    const { app, url, only, registry_dir } = await instance({}, [slow]);
    await app.registration.announce();
    const called = fetch(`${url}/slow`, { headers: { connection: 'close' } });
    await waitFor(() => entered, 'the call');
    const closed = app.close();
    await waitFor(async () => (await only())?.row.status === 'shutting_down', 'the leaving row');
    answer({});
    await Promise.all([called, closed]);
    await app.registration.update({ scene: 'late' });
    expect(await readdir(join(registry_dir, 'instances'))).toEqual([]);
  });

  test('a registry that cannot be written leaves the server as it is', async () => {
    const { app, url } = await instance({ registry_dir: '/dev/null/registry' });
    expect(await app.registration.announce()).toBeNull();
    await app.registration.update({ scene: 'x' });
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  test('a registry that is deleted gets its row again', async () => {
    const { app, registry_dir, only } = await instance({ heartbeat_secs: 1 });
    await app.registration.announce();
    await rm(registry_dir, { recursive: true });
    await waitFor(only, 'the row');
  });
});

describe('processes', () => {
  test('two programs appear in the directory; one is killed and goes, the other is stopped and goes [spec:discovery:file spec:discovery:deregister]', async () => {
    const { instances, registry_dir } = await directory();
    const env = { SVC_REGISTRY_DIR: registry_dir };
    const runs = ['maya', 'blender'].map(type => runProgram(['serve', '--json', '--dcc-type', type], env));
    const [maya, blender] = await Promise.all(runs.map(toListen));
    await waitFor(() => instances.live().length === 2, 'both');
    expect(instances.choose({ dcc_type: 'maya' })).toMatchObject({
      instance_id: maya?.instance_id,
      mcp_url: maya?.mcp_url,
    });
    runs[0]?.child.kill('SIGKILL');
    await runs[0]?.ended;
    const killed = performance.now();
    await waitFor(() => instances.live().length === 1, 'the killed one to go');
    expect(performance.now() - killed).toBeLessThan(2000);
    runs[1]?.child.kill('SIGTERM');
    await runs[1]?.ended;
    await waitFor(() => instances.list().length === 0, 'the stopped one to go');
    expect(instances.counts().evicted_dead).toBe(1);
    const gone = instances.list({ include_dead: true }).map(each => each.instance_id);
    expect(gone).toEqual([maya?.instance_id]);
    expect(() => instances.resolve(blender?.instance_id ?? '')).toThrow(/deregistered/);
    await expect(stat(join(registry_dir, 'instances', `${maya?.instance_id}.json`))).rejects.toThrow('ENOENT');
  });
});
