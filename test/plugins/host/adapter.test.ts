/** The base of an adapter owns a server and says of it only what is so. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAdapter } from '../../../plugins/index.ts';
import { testEnv } from '../../environment.ts';
import { waitFor } from '../../helper.ts';
import { callable, callTool, modes } from '../../server.ts';

const quiet = { log_level: 'silent', bundled_skills: false, watch_skills: false } as const;

describe.each(modes)('createAdapter, spawn_mode %s', mode => {
  test('instance_id is told only while it runs; it can be switched on again', async () => {
    let setups = 0;
    const adapter = createAdapter(
      { ...quiet, spawn_mode: mode },
      {
        env: testEnv,
        plugins: callable,
        async setup(server) {
          setups += 1;
          await server.registerTool({ name: 'host_add' }, ({ a, b }) => ({ sum: Number(a) + Number(b) }));
        },
      },
    );
    onTestFinished(() => adapter.stop());
    const off = { running: false, instance_id: null, mcp_url: null, service: undefined, server: undefined };
    expect(adapter).toMatchObject(off);
    await adapter.stop();

    const [service, same] = await Promise.all([adapter.start(), adapter.start()]);
    expect(same).toBe(service);
    expect(adapter).toMatchObject({ running: true, instance_id: service.instance_id, mcp_url: service.mcpUrl() });
    expect(adapter.instance_id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await callTool(service, 'host_add', { a: 1, b: 2 })).body.structuredContent).toEqual({ sum: 3 });

    const stopped = adapter.stop();
    expect(adapter.instance_id).toBeNull();
    await stopped;
    expect(adapter).toMatchObject(off);
    // The handle itself keeps its own.
    expect(service.instance_id).toMatch(/^[0-9a-f-]{36}$/);

    const again = await adapter.start();
    expect(again).not.toBe(service);
    expect(adapter.instance_id).toBe(again.instance_id);
    expect(setups).toBe(2);
  });

  test('where there is no registry row there is no id; a failed start leaves nothing', async () => {
    const bare = createAdapter(
      { ...quiet, spawn_mode: mode },
      { env: testEnv, plugins: { registration: false, guardian: false, advertise: false } },
    );
    await bare.start();
    expect([bare.running, bare.instance_id]).toEqual([true, null]);
    await bare.stop();
    const broken = createAdapter(
      { ...quiet, spawn_mode: mode },
      {
        env: testEnv,
        setup() {
          throw new Error('no licence');
        },
      },
    );
    await expect(broken.start()).rejects.toThrow('no licence');
    expect([broken.running, broken.server, broken.instance_id]).toEqual([false, undefined, null]);
  });
});

test('a server whose thread died is not running any more', async () => {
  const adapter = createAdapter({ ...quiet, spawn_mode: 'dedicated' }, { env: testEnv, plugins: callable });
  const service = await adapter.start();
  await fetch(new URL('/crash', service.mcpUrl()), { method: 'POST' }).catch(() => undefined);
  await waitFor(() => !adapter.running, 'the end of the thread');
  expect(adapter.instance_id).toBeNull();
});
