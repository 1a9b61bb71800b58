/** A server that registers itself at the gateway of another machine, by real sockets. */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { resolveConfig } from '../../../../kernel/index.ts';
import { gatewaySettings, openGateway } from '../../../../plugins/index.ts';
import { discoveryHttpPlugin } from '../../../../plugins/instances/sources/http/index.ts';
import { testEnv } from '../../../environment.ts';
import { freePort, tempDir, waitFor } from '../../../helper.ts';
import { startGateway, startInstance } from '../../gateway/rig.ts';

const [farm, any] = ['token-of-the-houdini-farm', 'token-for-every-host-type'];
const auth_tokens = [
  { token: any, label: 'pipeline', scopes: ['admin' as const] },
  { token: farm, label: 'farm', allowed_dcc: ['Houdini'] },
];

test('a server registers itself with its token, keeps itself alive, tells its scene, and takes itself back [spec:shape:register]', async () => {
  const gateway = await startGateway([discoveryHttpPlugin], { auth_tokens });
  const options = { remote_gateway_url: gateway.url, remote_gateway_token: farm, remote_gateway_ttl_secs: 3 };
  const far = await startInstance(await tempDir(), { dcc_type: 'houdini', options: { ...options, scene: '/a.hip' } });
  const { instances } = gateway.app;
  const found = await waitFor(() => instances.get(far.id), 'the server');
  expect(found).toMatchObject({ source: 'http', dcc_type: 'houdini', mcp_url: far.service.mcpUrl(), routable: true });
  expect(found.row).toMatchObject({ scene: '/a.hip', metadata: { dcc_mcp_http_ttl_secs: '3' } });
  const first = found.last_heartbeat;
  await far.server.update({ scene: '/b.hip' });
  await waitFor(() => instances.get(far.id)?.row.scene === '/b.hip', 'the heartbeat');
  expect(instances.get(far.id)?.last_heartbeat).toBeGreaterThan(first);
  await far.server.close();
  expect(instances.get(far.id)).toBeUndefined();
});

test('a gateway that forgets is registered at again; one that refuses its token is told of once, without the token', async () => {
  const gateway = await startGateway([discoveryHttpPlugin], { auth_tokens });
  const file = join(await tempDir(), 'token');
  await writeFile(file, `${any}\n`);
  const options = { remote_gateway_url: gateway.url, remote_gateway_token_file: file, remote_gateway_ttl_secs: 3 };
  const far = await startInstance(await tempDir(), { dcc_type: 'maya', options });
  const { instances } = gateway.app;
  await waitFor(() => instances.get(far.id), 'the server');
  instances.source('http').retract(far.id, 'the gateway forgot');
  await waitFor(() => instances.get(far.id), 'the server again');
  const log = join(await tempDir(), 'log');
  const refused = await startInstance(await tempDir(), {
    dcc_type: 'maya',
    options: {
      ...options,
      remote_gateway_token_file: null,
      remote_gateway_token: farm,
      log_level: 'warn',
      log_file: log,
    },
  });
  const told = await waitFor(async () => {
    const text = await readFile(log, 'utf8').catch(() => '');
    return text.includes('403') ? text : undefined;
  }, 'the refusal');
  expect(told).not.toContain(farm);
  expect(instances.get(refused.id)).toBeUndefined();
});

test('a gateway that is restarted has its servers back long before their next heartbeat', async () => {
  const [port, registry_dir] = [await freePort(), await tempDir()];
  const options = { gateway_port: port, registry_dir, log_level: 'silent' as const };
  const config = resolveConfig(options, testEnv, {}, await gatewaySettings());
  const start = () => openGateway({ config, env: testEnv, standalone: false });
  const known = async (): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/instances`).catch(() => undefined);
    return ((await answer?.text()) ?? '').includes(far.id);
  };
  const first = await start();
  const remote = { remote_gateway_url: `http://127.0.0.1:${port}`, remote_gateway_ttl_secs: 600 };
  const far = await startInstance(await tempDir(), { dcc_type: 'maya', options: remote });
  await waitFor(known, 'the server');
  // Who hangs up right after an answer is not taken for one that ends.
  await pause(1100);
  await first.close();
  const second = await start();
  onTestFinished(second.close);
  await waitFor(known, 'the server again', 10_000);
});

/** A gateway that answers as it is told to, one after the other. */
async function answering(statuses: number[]) {
  const asked: { at: number; path: string | undefined; authorization: string | undefined; body: string }[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ at: Date.now(), path: request.url, authorization: request.headers.authorization, body });
    const status = statuses.shift() ?? 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(status === 200 ? { ok: true, operation: 'registered', heartbeat_interval_secs: 1 } : {}),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('what may pass is tried again, each time later; the path of an address is kept, and its own word about itself', async () => {
  const gateway = await answering([503, 429]);
  await startInstance(await tempDir(), {
    dcc_type: 'maya',
    options: {
      remote_gateway_url: `${gateway.url}/behind/a/proxy/`,
      advertised_mcp_url: 'https://studio.example/maya/mcp',
    },
  });
  await waitFor(() => gateway.asked.length >= 4, 'three attempts and a heartbeat');
  const [first, second, third, beat] = gateway.asked;
  expect(first).toMatchObject({ path: '/behind/a/proxy/v1/instances/register', authorization: undefined });
  expect(JSON.parse(first?.body ?? '')).toMatchObject({ mcp_url: 'https://studio.example/maya/mcp', ttl_secs: 30 });
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(150);
  expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThan(300);
  expect(beat?.path).toBe('/behind/a/proxy/v1/instances/heartbeat');
});

test('an address that is none is refused at the start', async () => {
  for (const options of [{ remote_gateway_url: 'studio:9765' }, { advertised_mcp_url: 'http://me:secret@a/mcp' }]) {
    const starting = startInstance(await tempDir(), { dcc_type: 'maya', options });
    await expect(starting).rejects.toMatchObject({ code: 'SVC_REMOTE_REGISTRATION_URL_INVALID' });
  }
});

test('a server that nobody on another machine reaches says so, and registers nowhere', async () => {
  const log = join(await tempDir(), 'log');
  await startInstance(await tempDir(), {
    dcc_type: 'maya',
    options: { remote_gateway_url: 'http://192.0.2.1:9765', log_level: 'warn', log_file: log },
  });
  await waitFor(
    async () => (await readFile(log, 'utf8').catch(() => '')).includes('advertised_mcp_url'),
    'the warning',
  );
});
