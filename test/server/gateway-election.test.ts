import { expect } from 'vitest';
import { freePort, tempDir, waitFor } from '../helper.ts';
import { verifies } from '../spec/verifies.ts';
import { type Mode, modes, testServer } from './support.ts';

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
      expect(await health(options.gateway_port)).toEqual({ ok: true, service: 'dcc-mcp-gateway' });
      const second = await testServer(other[mode], options).start();
      expect(second.is_gateway).toBe(false);
      await first.shutdown();
      await waitFor(() => second.is_gateway, 'the takeover', 10_000);
      expect(await health(options.gateway_port)).toEqual({ ok: true, service: 'dcc-mcp-gateway' });
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
