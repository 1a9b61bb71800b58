import { expect, test } from 'vitest';
import { localAuthorization } from '../../../../schemas/local-key.ts';
import { freePort, tempDir, waitFor } from '../../../helper.ts';
import { testServer } from '../../../server.ts';

test('the elected gateway gives way to a newer version only, and takes the port again when nobody came', async () => {
  const port = await freePort();
  const registry_dir = await tempDir();
  const service = await testServer('ambient', {
    gateway_port: port,
    registry_dir,
    legacy_gateway_election: true,
    gateway_guardian_interval: 0.5,
  }).start();
  const challenge = async (challenger_version: unknown, authorization = localAuthorization(registry_dir, port)) => {
    const response = await fetch(`http://127.0.0.1:${port}/gateway/yield`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: JSON.stringify({ challenger_version }),
    });
    return { status: response.status, body: await response.json() };
  };
  // Only for who may read the registry directory.
  expect(await challenge('999.0.0', '')).toMatchObject({ status: 401, body: { kind: 'unauthorized' } });
  expect(await challenge('999.0.0', `Bearer ${'x'.repeat(43)}`)).toMatchObject({ status: 401 });
  expect(await challenge('0.0.1')).toMatchObject({
    status: 409,
    body: { capability: 'cooperative_yield', fallback: 'polling' },
  });
  expect(await challenge(1)).toMatchObject({ status: 400 });
  expect(service.is_gateway).toBe(true);
  expect(await challenge('999.0.0')).toMatchObject({ status: 200, body: { ok: true, handoff: true } });
  await waitFor(() => !service.is_gateway, 'the handover', 10_000);
  await waitFor(() => service.is_gateway, 'the return', 10_000);
}, 60_000);
