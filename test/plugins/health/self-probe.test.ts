import { expect, test } from 'vitest';
import { definePlugin } from '../../../plugins/index.ts';
import { testServer } from '../../server.ts';

/** Starts a server whose `/v1/healthz` never answers; returns how long the start took and what it logged. */
async function startMute(self_probe_timeout_ms: number) {
  let warnings: string[] = [];
  let probes = 0;
  const mute = definePlugin({ name: 'mute' }, (app, { kernel }) => {
    const health = { method: 'GET', url: '/v1/healthz' } as const;
    if (!app.hasRoute(health)) app.get(health.url, () => 'ok');
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.url !== health.url) return done();
      probes += 1;
    });
    app.addHook('onClose', async () => {
      warnings = kernel.logTail(100).filter(line => line.includes('its own probe'));
    });
  });
  const server = testServer('ambient', { self_probe_timeout_ms, log_level: 'warn' }, { add: [mute] });
  // Booting is not what is measured.
  await server.bus.emit('warm');
  const began = performance.now();
  const service = await server.start();
  const took_ms = performance.now() - began;
  await service.shutdown();
  return { took_ms, probes, warnings };
}

test('self_probe_timeout_ms: a mute listener is waited for at most that long and then only warned of', async () => {
  const { took_ms, probes, warnings } = await startMute(200);
  expect(probes).toBe(1);
  expect(took_ms).toBeGreaterThan(190);
  // Without a limit it would wait for ever.
  expect(took_ms).toBeLessThan(10_000);
  expect(warnings).toHaveLength(1);
});

test('self_probe_timeout_ms 0 disables the probe', async () => {
  const { probes, warnings } = await startMute(0);
  expect([probes, warnings]).toEqual([0, []]);
});

test.each(['ambient', 'dedicated'] as const)(
  'a healthy listener passes its probe, spawn_mode %s',
  async mode => {
    // A probe that failed would hold the start for a minute, so that no slow machine is taken for one.
    const began = performance.now();
    await testServer(mode, { self_probe_timeout_ms: 60_000 }).start();
    expect(performance.now() - began).toBeLessThan(50_000);
  },
  90_000,
);
