/** How large a request the gateway takes: more than an instance, by a setting of its own. */
import { expect, onTestFinished, test } from 'vitest';
import { openGateway } from '../../../plugins/index.ts';
import { testEnv } from '../../environment.ts';
import { tempDir, testConfig } from '../../helper.ts';
import { connect } from '../../spec/wire.ts';

async function gatewayWith(options: Parameters<typeof testConfig>[0]) {
  const config = testConfig({ ...options, registry_dir: await tempDir('svc-registry-'), gateway_port: 0 });
  const gateway = await openGateway({ config, env: testEnv, standalone: true });
  onTestFinished(() => gateway.close());
  return `http://127.0.0.1:${gateway.port}/mcp`;
}

const ping = (bytes: number) => ({ jsonrpc: '2.0', id: 1, method: 'ping', params: { filler: 'x'.repeat(bytes) } });

test('16 MiB by default, whatever an instance takes; beyond it 413', async () => {
  const wire = await connect(await gatewayWith({ max_request_body_bytes: 2048 }));
  expect((await wire.send(ping(15 * 1024 * 1024))).status).toBe(200);
  const refused = await wire.send(ping(17 * 1024 * 1024));
  expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('gateway_http_body_limit_bytes')]);
});

test('gateway_http_body_limit_bytes sets it', async () => {
  const wire = await connect(await gatewayWith({ gateway_http_body_limit_bytes: 2048 }));
  expect((await wire.send(ping(1000))).status).toBe(200);
  expect((await wire.send(ping(3000))).status).toBe(413);
});
