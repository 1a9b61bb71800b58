import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../helper.ts';
import { spawnHost } from '../host-process.ts';
import { callTool, modes, testServer } from '../server.ts';

describe.each(modes)('shutdown, spawn_mode %s', mode => {
  test('shutdown() leaves no handle: the process exits by itself', async () => {
    const child = await spawnHost(mode, 'shutdown');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });

  test('signal_shutdown() returns at once and the process exits by itself [spec:service:signal-shutdown]', async () => {
    const child = await spawnHost(mode, 'signal');
    const took: number[] = [];
    child.on('message', (message: { took_ms?: number }) => {
      if (message.took_ms !== undefined) took.push(message.took_ms);
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
    expect(took[0]).toBeLessThan(250);
  });

  test('a server that was never started does not keep the process', async () => {
    const [code] = (await once(await spawnHost(mode, 'leave'), 'exit')) as [number];
    expect(code).toBe(0);
  });

  test.each(['shutdown', 'signalShutdown'] as const)(
    '%s() lets calls in flight end and refuses new ones [spec:service:shutdown spec:service:shutdown-drains]',
    async how => {
      const server = testServer(mode);
      let begun = false;
      await server.registerTool({ name: 'slow' }, async () => {
        begun = true;
        await new Promise(resolve => setTimeout(resolve, 300));
        return { finished: true };
      });
      const service = await server.start();
      const call = callTool(service, 'slow');
      await waitFor(() => begun, 'the call to begin');
      const stopped = service[how]();
      expect((await call).body.structuredContent).toEqual({ finished: true });
      await stopped;
      await service.shutdown();
      await expect(callTool(service, 'slow')).rejects.toThrow();
    },
  );

  test('a call that outlives shutdown_grace_ms is cut off', async () => {
    const server = testServer(mode, { shutdown_grace_ms: 200 });
    let begun = false;
    await server.registerTool({ name: 'endless' }, () => {
      begun = true;
      return new Promise(() => undefined);
    });
    const service = await server.start();
    const call = callTool(service, 'endless').catch((error: unknown) => error);
    await waitFor(() => begun, 'the call to begin');
    const started = performance.now();
    await service.shutdown();
    expect(performance.now() - started).toBeLessThan(3000);
    expect(await call).toBeInstanceOf(Error);
  });

  test('close() ends a server that was not started, twice the same', async () => {
    const server = testServer(mode);
    await server.registerTool({ name: 'x' }, () => 1);
    expect(server.close()).toBe(server.close());
    await server.close();
  });
});

test('a server thread that dies is reported and rejects what waits (spawn_mode dedicated)', async () => {
  const server = testServer('dedicated');
  const service = await server.start();
  await fetch(new URL('/crash', service.mcpUrl()), { method: 'POST' }).catch(() => undefined);
  const report = await service.stopped();
  expect(report.crashed).toBe(true);
  expect(report.error?.message).toContain('crashed on purpose');
  await expect(server.bus.emit('x')).rejects.toMatchObject({ code: 'SVC_SERVER_THREAD_FAILED' });
  await service.shutdown();
});
