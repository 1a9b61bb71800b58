import { expect } from 'vitest';
import { freePort, tempDir, waitFor } from '../../../helper.ts';
import { type Mode, modes, testServer } from '../../../server.ts';
import { verifies } from '../../../spec/verifies.ts';

const health = (port: number): Promise<unknown> =>
  fetch(`http://127.0.0.1:${port}/health`).then(
    response => response.json(),
    () => undefined,
  );

const legacy = async () => ({
  gateway_port: await freePort(),
  registry_dir: await tempDir(),
  legacy_gateway_election: true,
  gateway_guardian_interval: 0.1,
});

const other: Record<Mode, Mode> = { ambient: 'dedicated', dedicated: 'ambient' };

for (const mode of modes) {
  verifies(
    ['service:is-gateway', 'service:is-gateway-true', 'config:gateway-election'],
    `${mode}: the first server wins the gateway port, the second serves it once the first has ended`,
    async () => {
      const options = await legacy();
      const first = await testServer(mode, options).start();
      expect(first.is_gateway).toBe(true);
      expect(await health(options.gateway_port)).toMatchObject({ ok: true, service: 'dcc-mcp-gateway' });
      const second = await testServer(other[mode], options).start();
      expect(second.is_gateway).toBe(false);
      await first.shutdown();
      await waitFor(() => second.is_gateway, 'the takeover', 10_000);
      expect(await health(options.gateway_port)).toMatchObject({ ok: true, service: 'dcc-mcp-gateway' });
      await second.shutdown();
      expect(second.is_gateway).toBe(false);
      expect(await health(options.gateway_port)).toBeUndefined();
    },
    60_000,
  );
}

verifies(['config:gateway-election'], 'gateway_port 0 takes part in no election', async () => {
  const service = await testServer('ambient', { ...(await legacy()), gateway_port: 0 }).start();
  expect(service.is_gateway).toBe(false);
});

verifies(
  ['config:gateway-election'],
  'a server whose adapter is newer takes the gateway over from one of the same version, and keeps it',
  async () => {
    // Who gives way comes back after an interval: the challenger looks sooner.
    const options = { ...(await legacy()), gateway_guardian_interval: 2 };
    const old = await testServer('ambient', { ...options, adapter_version: '1.0.0', dcc_type: 'maya' }).start();
    expect(old.is_gateway).toBe(true);
    const young = await testServer('ambient', { ...options, adapter_version: '1.1.0', dcc_type: 'maya' }).start();
    await waitFor(() => young.is_gateway && !old.is_gateway, 'the takeover', 10_000);
    await new Promise(resolve => setTimeout(resolve, 500));
    expect([old.is_gateway, young.is_gateway]).toEqual([false, true]);
  },
  60_000,
);
