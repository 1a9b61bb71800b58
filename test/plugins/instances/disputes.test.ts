/** Sources that hand out the id of somebody else: the specification's precedence decides, and it is told. */
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { backendsPlugin } from '../../../plugins/gateway/backends/index.ts';
import { gatewayEventsPlugin } from '../../../plugins/gateway/events/index.ts';
import type { RemoteInstance } from '../../../plugins/instances/api.ts';
import { instancesPlugin } from '../../../plugins/instances/index.ts';
import { registryPlugin } from '../../../plugins/instances/registry/index.ts';
import { discoveryHttpPlugin } from '../../../plugins/instances/sources/http/index.ts';
import { mcpPlugin } from '../../../plugins/mcp/index.ts';
import { freePort } from '../../helper.ts';
import { gatewayRig } from '../gateway/rig.ts';
import { directory } from './support.ts';

const plugins = [mcpPlugin, registryPlugin, gatewayEventsPlugin, instancesPlugin, discoveryHttpPlugin, backendsPlugin];
const tools = [{ definition: { name: 'who', description: 'Says who.' }, handler: () => 'the real one' }];

async function register(gateway: string, instance_id: string, mcp_url: string, token = '') {
  const answer = await fetch(`${gateway}/v1/instances/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ instance_id, dcc_type: 'maya', mcp_url }),
  });
  return { status: answer.status, text: await answer.text() };
}

test.each([['http'], ['relay'], ['mdns']] as const)(
  'who gives the id of a living instance of this machine another address by %s goes first, and it is told [spec:discovery:precedence]',
  async name => {
    const { app, url, instances } = await gatewayRig(plugins, [{ dcc_type: 'maya', tools }]);
    const [maya] = instances;
    const id = String(maya?.id);
    const other = `http://127.0.0.1:${await freePort()}/mcp`;
    const local = String(maya?.service.mcpUrl());
    const source = app.instances.source(name);
    if (name === 'http') expect((await register(url, id, other)).status).toBe(200);
    else source.assert(source.row({ instance_id: id, dcc_type: 'maya', mcp_url: other }), { ttlMs: 60_000 });
    await app.instances.refresh();
    expect(app.instances.get(id)).toMatchObject({ source: name, mcp_url: other });
    const told = app.instances.problems().filter(each => each.file === `file:${id}`);
    expect(told.map(each => each.reason)).toEqual([
      `${local} is not used: the source ${name}, which goes first, gives the id the address ${other}`,
    ]);
    expect(source.retract(id, 'deregistered')).toBe(true);
    expect(app.instances.get(id)).toMatchObject({ source: 'file', mcp_url: local });
    const answer = await app.backends.get(id).request('tools/call', { name: 'who', arguments: {} });
    expect(JSON.stringify(answer)).toContain('the real one');
  },
);

test('a registration that names the listener of the local instance is no dispute: precedence holds', async () => {
  const { app, url, instances } = await gatewayRig(plugins, [{ dcc_type: 'maya', tools }]);
  const [maya] = instances;
  const id = String(maya?.id);
  const spelled = String(maya?.service.mcpUrl()).replace('127.0.0.1', 'localhost');
  expect((await register(url, id, spelled)).status).toBe(200);
  expect(app.instances.get(id)).toMatchObject({ source: 'http', mcp_url: spelled });
  expect(app.instances.problems()).toEqual([]);
});

const id = '12345678-0000-4000-8000-000000000000';
const far = (mcp_url: string): RemoteInstance => ({ instance_id: id, dcc_type: 'maya', mcp_url });

test('two sources with one id: precedence decides, and it is told; one source does not change sides while both claim', async () => {
  const { instances } = await directory();
  const [http, mdns] = [instances.source('http'), instances.source('mdns')];
  mdns.assert(mdns.row(far('http://10.0.0.1:1/mcp')), { ttlMs: 60_000, claimant: 'first' });
  const changes = instances.generation;
  // Every few seconds, as a browser of services does.
  for (let turn = 0; turn < 3; turn += 1) {
    expect(mdns.assert(mdns.row(far('http://10.0.0.2:1/mcp')), { ttlMs: 60_000, claimant: 'second' })).toBe(false);
    expect(mdns.assert(instances.get(id)?.row as never, { ttlMs: 60_000, claimant: 'first' })).toBe(true);
  }
  expect(instances.generation).toBe(changes);
  expect(instances.problems().map(each => each.reason)).toEqual([
    'http://10.0.0.2:1/mcp is not used: the id is that of http://10.0.0.1:1/mcp, which first gave first',
  ]);
  expect(mdns.retract(id, 'deregistered', 'second')).toBe(false);
  http.assert(http.row(far('http://10.0.0.3:1/mcp')), { ttlMs: 60_000 });
  expect(instances.live().map(each => each.mcp_url)).toEqual(['http://10.0.0.3:1/mcp']);
  expect(instances.problems().at(-1)).toMatchObject({ file: `mdns:${id}` });
  expect(mdns.retract(id, 'deregistered', 'first')).toBe(true);
  expect(instances.live()).toHaveLength(1);
});

test('a claimant that does not speak any more gives the id free', async () => {
  const { instances } = await directory({ stale_timeout_secs: 1 });
  const relay = instances.source('relay');
  relay.assert(relay.row(far('http://10.0.0.1:1/mcp')), { ttlMs: 100, claimant: 'first' });
  await new Promise(resolve => setTimeout(resolve, 1800));
  expect(relay.assert(relay.row(far('http://10.0.0.2:1/mcp')), { ttlMs: 60_000, claimant: 'second' })).toBe(true);
  expect(instances.get(id)?.mcp_url).toBe('http://10.0.0.2:1/mcp');
});

test('a row that leads to the gateway itself is refused, by any address of this machine and on either listener', async () => {
  const remote = await freePort();
  const token = 'a-token-of-the-tests';
  const auth_tokens = [{ token, label: 'tests' }];
  const { instances, url } = await directory({ gateway_remote_port: remote, auth_tokens });
  const { port } = new URL(url);
  const own = Object.values(networkInterfaces()).flatMap(each => each?.map(({ address }) => address) ?? []);
  const hosts = ['127.0.0.1', 'localhost', '[::1]', ...own.filter(isIPv4)];
  const mdns = instances.source('mdns');
  for (const host of hosts) {
    for (const each of [port, remote]) {
      const mcp_url = `http://${host}:${each}/mcp`;
      expect(mdns.assert(mdns.row(far(mcp_url)), { ttlMs: 60_000 })).toBe(false);
      expect(await register(url, id, mcp_url, token)).toMatchObject({ status: 400 });
    }
  }
  expect(instances.list()).toEqual([]);
  expect(instances.problems().every(each => each.reason.includes('the gateway itself'))).toBe(true);
});
