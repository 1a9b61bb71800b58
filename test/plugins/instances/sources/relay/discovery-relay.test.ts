/** Tunnels of a relay as instances: a real relay process in front of a real instance. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { backendsPlugin } from '../../../../../plugins/gateway/backends/index.ts';
import { gatewayEventsPlugin } from '../../../../../plugins/gateway/events/index.ts';
import { gatewayHealthPlugin } from '../../../../../plugins/health/index.ts';
import { instancesPlugin } from '../../../../../plugins/instances/index.ts';
import { registryPlugin } from '../../../../../plugins/instances/registry/index.ts';
import { discoveryRelayPlugin } from '../../../../../plugins/instances/sources/relay/index.ts';
import { relayAddress } from '../../../../../plugins/instances/sources/relay/relay-source.ts';
import { mcpPlugin } from '../../../../../plugins/mcp/index.ts';
import { listeningApp, tempDir, waitFor } from '../../../../helper.ts';
import { startInstance } from '../../../gateway/rig.ts';

/** Lists `tunnels` and passes `/tunnel/<id>/...` on to `target`. */
async function relay(tunnels: unknown[], target: string, onPoll: () => void = () => undefined) {
  const server = createServer((incoming, answer) => {
    if (incoming.url === '/tunnels') {
      onPoll();
      return void answer.end(JSON.stringify({ tunnels }));
    }
    const [, path] = /^\/tunnel\/good2?(\/.*)$/.exec(incoming.url ?? '') ?? [];
    if (path === undefined) return void answer.writeHead(404).end();
    const { host: _, ...headers } = incoming.headers;
    const onward = request(new URL(path, target), { method: incoming.method, headers }, reply => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a tunnel that answers is an instance that can be called; one that ends is gone; others are not shown [spec:shape:discovery]', async () => {
  const hidden = await tempDir();
  const far = await startInstance(hidden, {
    dcc_type: 'houdini',
    tools: [{ definition: { name: 'where', description: 'Says where.' }, handler: () => 'far away' }],
  });
  const good = { tunnel_id: 'good', dcc: 'houdini', adapter_version: '2.0' };
  const tunnels: unknown[] = [good, { tunnel_id: 'silent', dcc: 'maya' }, null, 7];
  const away: unknown[] = [];
  let polls = 0;
  // When a tunnel has lost its relay, one poll may miss it.
  const url = await relay(tunnels, far.service.mcpUrl(), () => {
    polls += 1;
    const back = away.pop();
    if (back) tunnels.unshift(back);
    if (losing) away.push(tunnels.shift());
    losing = false;
  });
  let losing = false;
  const { app } = await listeningApp(
    [
      ...[gatewayHealthPlugin, mcpPlugin, registryPlugin, gatewayEventsPlugin, instancesPlugin],
      ...[discoveryRelayPlugin, backendsPlugin],
    ],
    { registry_dir: await tempDir(), gateway_relay_sources: [`${url}=${url}/`], heartbeat_secs: 1 },
  );
  const found = await waitFor(() => app.instances.live()[0], 'the tunnel');
  expect(app.instances.list().length).toBe(1);
  expect(found).toMatchObject({
    source: 'relay',
    source_meta: { tunnel_id: 'good' },
    dcc_type: 'houdini',
    mcp_url: `${url}/tunnel/good/mcp`,
  });
  const answer = await app.backends
    .get(found.instance_id)
    .request('tools/call', { name: 'where', arguments: {} }, { idempotent: true });
  expect(JSON.stringify(answer)).toContain('far away');
  const left: string[] = [];
  app.kernel.bus.on('instance.left', ({ attributes }) => void left.push(attributes.reason));
  losing = true;
  await waitFor(() => away.length > 0, 'the poll without it');
  const missed = polls;
  // The second after it begins when the first, which has it again, has been taken.
  await waitFor(() => polls >= missed + 2, 'the polls with it', 10_000);
  expect([left, app.instances.list().length]).toEqual([[], 1]);
  tunnels.length = 0;
  await waitFor(() => app.instances.list().length === 0, 'the end of the tunnel', 10_000);
});

test('of two tunnels with one id the one that was there stays; a tunnel that leads to a gateway is not shown', async () => {
  const instance_id = '12345678-0000-4000-8000-000000000000';
  const far = await startInstance(await tempDir(), { dcc_type: 'houdini' });
  const plugins = [mcpPlugin, registryPlugin, gatewayEventsPlugin, instancesPlugin, discoveryRelayPlugin];
  const other = await listeningApp([gatewayHealthPlugin, ...plugins], { registry_dir: await tempDir() });
  const loop = await relay([{ tunnel_id: 'good', dcc: 'maya' }], other.url);
  const tunnels: unknown[] = [{ tunnel_id: 'good', dcc: 'houdini', instance_id }];
  const url = await relay(tunnels, far.service.mcpUrl());
  const { app } = await listeningApp([gatewayHealthPlugin, ...plugins], {
    registry_dir: await tempDir(),
    gateway_relay_sources: [`${url}=${url}`, `${loop}=${loop}`],
    heartbeat_secs: 1,
  });
  await waitFor(() => app.instances.live()[0], 'the tunnel');
  const { generation } = app.instances;
  tunnels.unshift({ tunnel_id: 'good2', dcc: 'houdini', instance_id });
  await new Promise(resolve => setTimeout(resolve, 2500));
  expect(app.instances.generation).toBe(generation);
  expect(app.instances.list().map(each => each.source_meta)).toEqual([{ tunnel_id: 'good' }]);
  tunnels.pop();
  await waitFor(() => app.instances.list()[0]?.source_meta.tunnel_id === 'good2', 'the other tunnel', 10_000);
  expect(app.instances.live()).toHaveLength(1);
});

test('a relay that cannot be read is told in /health, without its address, until it can be read', async () => {
  let status = 401;
  const asking = createServer((_request, answer) => void answer.writeHead(status).end('[]'));
  await new Promise<void>(resolve => asking.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void asking.close());
  const url = `http://127.0.0.1:${(asking.address() as AddressInfo).port}`;
  const plugins = [gatewayHealthPlugin, mcpPlugin, registryPlugin, gatewayEventsPlugin, instancesPlugin];
  const gateway = await listeningApp([...plugins, discoveryRelayPlugin], {
    registry_dir: await tempDir(),
    gateway_relay_sources: [`${url}=${url}`, 'http://127.0.0.1:1=http://127.0.0.1:1'],
    heartbeat_secs: 1,
  });
  const health = async (): Promise<Record<string, unknown>> => (await fetch(`${gateway.url}/health`)).json() as never;
  const told = (state: string, unread: number, last_error_kind: string | null) =>
    waitFor(
      async () => {
        const { relay_sources } = await health();
        return JSON.stringify(relay_sources) === JSON.stringify({ state, sources: 2, unread, last_error_kind });
      },
      `${state} ${last_error_kind}`,
      5000,
    );
  await told('unavailable', 2, 'asks_for_a_token');
  status = 200;
  await told('degraded', 1, 'no_answer');
  status = 500;
  await told('unavailable', 2, 'no_relay');
});

test('ADMIN=PUBLIC is two http addresses', () => {
  expect(relayAddress('http://a:1/=https://b/x/')).toEqual({ admin: 'http://a:1', public: 'https://b/x' });
  for (const text of ['http://a', 'a=b', 'http://a=ftp://b', 'http://a=http://b=http://c', '=']) {
    expect(relayAddress(text)).toBeUndefined();
  }
});
