/** The gateway's own resources, over real sockets, in front of real instances. */
import { expect, test } from 'vitest';
import { schemeGatewayPlugin } from '../../../../../plugins/resources/schemes/gateway/index.ts';
import { connect, type Json, type Wire } from '../../../../spec/wire.ts';
import { gatewayRig } from '../../../gateway/rig.ts';

const plugins = [schemeGatewayPlugin];

const two = () => gatewayRig(plugins, [{ dcc_type: 'maya', options: { scene: 'shot.ma' } }, { dcc_type: 'blender' }]);

async function read(client: Wire, uri: string): Promise<Json> {
  const { contents } = await client.result('resources/read', { uri });
  const [first] = contents as { mimeType: string; text: string }[];
  expect(first?.mimeType).toBe('application/json');
  return JSON.parse(first?.text ?? '') as Json;
}

test('the list has the roots of the families only', async () => {
  const { url } = await two();
  const client = await connect(`${url}/mcp`);
  const { resources } = await client.result('resources/list');
  expect((resources as Json[]).map(each => each.uri)).toEqual([
    'gateway://instances',
    'gateway://diagnostics/process',
    'gateway://diagnostics/audit',
    'gateway://diagnostics/metrics',
    'gateway://catalog',
  ]);
});

test('gateway://instances has every field of a row, and its query narrows it', async () => {
  const { url, instances } = await two();
  const client = await connect(`${url}/mcp`);
  const all = await read(client, 'gateway://instances');
  expect(all).toMatchObject({ total: 2, stale_count: 0, evicted_dead: 0 });
  const rows = all.instances as Json[];
  const maya = rows.find(each => each.dcc_type === 'maya');
  expect(maya).toMatchObject({
    instance_id: instances[0]?.id,
    status: 'available',
    scene: 'shot.ma',
    pid: process.pid,
    stale: false,
    mcp_url: instances[0]?.service.mcpUrl(),
  });
  for (const name of ['host', 'port', 'documents', 'display_name', 'version', 'adapter_version', 'adapter_dcc']) {
    expect(maya).toHaveProperty(name);
  }
  expect(maya?.metadata).toBeTypeOf('object');
  expect(await read(client, 'gateway://instances?dcc_type=Blender')).toMatchObject({ total: 1 });
  expect(await read(client, 'gateway://instances?query=shot.ma')).toMatchObject({ total: 1 });
  expect(await read(client, 'gateway://instances?limit=1&offset=1')).toMatchObject({ total: 2, capped: false });
  const { error } = await client.request('resources/read', { uri: 'gateway://instances?include_stale=maybe' });
  expect(error?.message).toContain('"include_stale" must be true or false');
});

test('one instance is found by its id, its short id and a unique prefix', async () => {
  const { url, instances } = await two();
  const client = await connect(`${url}/mcp`);
  const [maya] = instances;
  for (const id of [maya?.id, maya?.id8, maya?.id8.slice(0, 5)]) {
    expect(await read(client, `gateway://instances/${id}`)).toMatchObject({
      instance_id: maya?.id,
      resource_uri: `gateway://instances/${maya?.id}`,
      loaded: [],
      loaded_count: 0,
    });
  }
  const short = await client.request('resources/read', { uri: `gateway://instances/${maya?.id8.slice(0, 3)}` });
  expect(short.error?.message).toContain('4');
  const none = await client.request('resources/read', { uri: 'gateway://instances/ffffffff' });
  expect(none.error).toBeDefined();
});

test('diagnostics say what the gateway is and does [spec:shape:diagnostics]', async () => {
  const { url } = await two();
  const client = await connect(`${url}/mcp`);
  expect(await read(client, 'gateway://diagnostics/process')).toMatchObject({
    success: true,
    gateway: { own_port: Number(new URL(url).port), pid: process.pid },
    counts: { total: 2, live: 2, stale: 0, unhealthy: 0 },
  });
  expect(await read(client, 'gateway://diagnostics/process?dcc_type=maya')).toMatchObject({ counts: { total: 1 } });
  const following = async () =>
    ((await read(client, 'gateway://diagnostics/audit')).summary as Json).resource_subscription_sessions;
  expect(await read(client, 'gateway://diagnostics/audit')).toMatchObject({ summary: { pending_calls: 0 } });
  expect(await following()).toBe(0);
  await client.result('resources/subscribe', { uri: 'gateway://instances' });
  expect(await following()).toBe(1);
  await client.result('resources/unsubscribe', { uri: 'gateway://instances' });
  expect(await following()).toBe(0);
  expect(await read(client, 'gateway://diagnostics/metrics')).toMatchObject({
    metrics: { gateway_local_tools: 4, live_instances: 2, publishes_backend_tools: false },
  });
});

test('the catalogue is searched by keyword and read by exact name [spec:shape:catalog]', async () => {
  const { url } = await gatewayRig(plugins, []);
  const client = await connect(`${url}/mcp`);
  const all = await read(client, 'gateway://catalog');
  expect(all.total).toBe(38);
  const found = await read(client, 'gateway://catalog?query=compositing');
  expect((found.entries as Json[]).map(each => each.name)).toEqual(['dcc-mcp-nuke', 'dcc-mcp-aftereffects']);
  expect(await read(client, 'gateway://catalog/dcc-mcp-maya')).toMatchObject({ dcc: ['maya'] });
  expect((await client.request('resources/read', { uri: 'gateway://catalog/none' })).error?.code).toBe(-32002);
});

test('resources://gateway/events is a ring of JSON lines that clients can follow', async () => {
  const { app, url } = await gatewayRig(plugins, []);
  const client = await connect(`${url}/mcp`);
  const stream = await client.stream();
  const uri = 'resources://gateway/events';
  await client.result('resources/subscribe', { uri });
  app.kernel.bus.emit('gateway.noted', { attributes: { event: 'operator_note', reason: 'hello' } });
  await stream.next(each => each.method === 'notifications/resources/updated' && each.params?.uri === uri);
  const { contents } = await client.result('resources/read', { uri });
  const [first] = contents as { mimeType: string; text: string }[];
  expect(first?.mimeType).toBe('application/jsonl');
  const lines = (first?.text ?? '')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Json);
  expect(lines.at(-1)).toMatchObject({ event: 'operator_note', reason: 'hello', dcc_type: 'gateway' });
  stream.close();
});
