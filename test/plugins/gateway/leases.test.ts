/** Leases: an instance is taken, worked with by its holder alone, given back; over REST and by the names that no list shows. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { proxyPlugin } from '../../../plugins/gateway/proxy/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { waitFor } from '../../helper.ts';
import { answering } from '../skills/support.ts';
import { startGateway } from './rig.ts';
import { gatewayOver, type Json, raw, startHost, toolsOfHost } from './support.ts';
import { agentOf, eras } from './two-eras.ts';

const maya = { dcc_type: 'maya', setup: toolsOfHost, packages: { rig: answering('rig', 'yes') } };
const errorOf = (json: Json): Json => json.error as Json;
const poolOf = async (url: string, id: unknown): Promise<Json> =>
  (await raw(url, `/v1/instances/${String(id)}/context`)).json.pool as Json;

test('over REST: taken by host type, renewed, refused to others, given back; each step is in the ring', async () => {
  const { app, url, post, hosts } = await gatewayOver([maya, maya]);
  const lease = (body: Json) => post('lease', body);
  const taken = await lease({ dcc_type: 'maya', lease_owner: 'shot-10', ttl_secs: 60, current_job_id: 'bake' });
  expect(taken.status).toBe(200);
  expect(taken.json).toMatchObject({ success: true, renewed: false, lease_owner: 'shot-10', current_job_id: 'bake' });
  const held = taken.json.instance as { instance_id: string; instance_short: string };
  expect(taken.json.instance).toMatchObject({
    status: 'busy',
    pool: { lease_owner: 'shot-10', current_job_id: 'bake', available: false, lease_expires_at: expect.any(Number) },
  });
  // The next one gets the other, and then there is none.
  const second = await lease({ dcc_type: 'maya', lease_owner: 'shot-20' });
  const { instance_id } = second.json.instance as Json;
  expect(hosts.map(each => each.id).sort()).toEqual([held.instance_id, instance_id].sort());
  const none = await lease({ dcc_type: 'maya', lease_owner: 'shot-30' });
  expect([none.status, errorOf(none.json)]).toMatchObject([409, { kind: 'instance-leased', retryable: true }]);
  const foreign = await lease({ instance_id: held.instance_short, lease_owner: 'shot-30' });
  expect([foreign.status, errorOf(foreign.json)]).toMatchObject([
    409,
    { kind: 'instance-leased', message: expect.stringContaining('shot-10') },
  ]);

  const echo = (meta: Json = {}) =>
    post('call', { tool_slug: `maya.${held.instance_short}.echo`, arguments: { text: 'hi' }, meta });
  expect(errorOf((await echo()).json)).toMatchObject({ kind: 'instance-leased' });
  expect(errorOf((await echo({ lease_owner: 'shot-20' })).json)).toMatchObject({ kind: 'lease-owner-mismatch' });
  expect((await echo({ lease_owner: 'shot-10' })).json).toMatchObject({ structuredContent: { text: 'hi' } });

  const renewed = await lease({ instance_id: held.instance_id, lease_owner: 'shot-10', ttl_secs: 7200 });
  expect(renewed.json).toMatchObject({ renewed: true, current_job_id: 'bake' });
  expect(Number(renewed.json.lease_expires_at)).toBeGreaterThan(Number(taken.json.lease_expires_at));
  expect((await lease({ action: 'renew', lease_owner: 'shot-10' })).json).toMatchObject({ renewed: true });
  expect(errorOf((await lease({ action: 'renew', lease_owner: 'nobody' })).json)).toMatchObject({
    kind: 'lease-owner-mismatch',
  });

  const back = (lease_owner: string) => lease({ action: 'release', instance_id: held.instance_id, lease_owner });
  const wrong = await back('shot-20');
  expect([wrong.status, errorOf(wrong.json).kind]).toEqual([409, 'lease-owner-mismatch']);
  expect((await back('shot-10')).json).toMatchObject({ released: true, instance: { pool: { available: true } } });
  expect((await back('shot-10')).json).toMatchObject({ success: true, released: false });
  expect((await echo()).status).toBe(200);
  expect(await poolOf(url, held.instance_id)).toMatchObject({ lease_owner: null, available: true });
  const kinds = app.gatewayEvents.list().filter(({ event }) => event.startsWith('lease_'));
  expect(kinds.map(each => each.event)).toEqual([
    ...['lease_taken', 'lease_taken', 'lease_renewed', 'lease_renewed', 'lease_released'],
  ]);
  expect(kinds[0]).toMatchObject({ dcc_type: 'maya', reason: expect.stringContaining('shot-10 until ') });
});

test.each(eras)('%s: the names of the older gateways take and give back, and no list shows them', async era => {
  const { url, hosts } = await gatewayOver([maya]);
  const agent = await agentOf(era, `${url}/mcp`);
  const taken = await agent.read('acquire_dcc_instance', { dcc_type: 'maya', lease_owner: 'agent-1', ttl_secs: 30 });
  expect(taken).toMatchObject({ success: true, instance: { instance_id: hosts[0]?.id, pool: { available: false } } });
  const slug = (tool: string) => `maya.${hosts[0]?.short}.${tool}`;
  const echo = { tool_slug: slug('echo'), arguments: { text: 'hi' } };
  expect(await agent.read('call', echo)).toMatchObject({ error: { kind: 'instance-leased' } });
  const mine = { meta: { lease_owner: 'agent-1' } };
  expect(await agent.read('call', { ...echo, ...mine })).toEqual({ text: 'hi' });

  // What others may still do: read, and follow the jobs that they began. Skills are the holder's to change.
  const receipt = await agent.use('call', { tool_slug: slug('render'), arguments: { ms: 10_000 }, ...mine });
  const { job_id } = receipt.structuredContent as Json;
  const cancelled = await agent.read('call', { tool_slug: 'jobs_cancel', arguments: { job_id } });
  expect(cancelled).toMatchObject({ cancel_requested: true });
  expect(await agent.read('call', { tool_slug: slug('list_skills') })).toMatchObject({ total: 1 });
  const skill = { skill_name: 'rig' };
  const refused = { error: { kind: 'instance-leased' } };
  expect(await agent.read('load_skill', skill)).toMatchObject(refused);
  expect(await agent.read('call', { tool_slug: 'load_skill', arguments: skill })).toMatchObject(refused);
  expect(await agent.read('load_skill', { ...skill, ...mine })).toMatchObject({ loaded: true });
  expect(await agent.read('unload_skill', skill)).toMatchObject(refused);

  expect(await agent.read('lease', { action: 'acquire', dcc_type: 'maya', lease_owner: 'agent-2' })).toMatchObject({
    error: { kind: 'instance-leased', retryable: true },
  });
  const given = await agent.read('release_dcc_instance', { instance_id: hosts[0]?.short, lease_owner: 'agent-1' });
  expect(given).toMatchObject({ success: true, released: true });
  expect(await agent.read('call', echo)).toEqual({ text: 'hi' });
});

test.each([
  [{ dcc_type: 'maya' }, 'lease_owner'],
  [{ dcc_type: 'maya', lease_owner: ' me' }, 'lease_owner'],
  [{ lease_owner: 'me' }, 'dcc_type'],
  [{ dcc_type: 'maya', lease_owner: 'me', action: 'steal' }, 'action'],
  [{ dcc_type: 'maya', lease_owner: 'me', ttl_secs: 'long' }, 'ttl_secs'],
])('a lease that is asked for wrongly names the member: %j', async (body, field) => {
  const { post } = await gatewayOver([]);
  const refused = await post('lease', body);
  expect([refused.status, errorOf(refused.json)]).toMatchObject([
    400,
    { kind: 'bad-request', message: expect.stringContaining(`"${field}"`) },
  ]);
});

test('a lease outlives the gateway, binds every gateway over the registry, expires, and ends with its instance', async () => {
  const { app, url, post, hosts, registry_dir } = await gatewayOver([maya, maya]);
  const [first, second] = hosts;
  const { json } = await post('lease', { instance_id: first?.id, lease_owner: 'me', ttl_secs: 2 });
  await post('lease', { instance_id: second?.id, lease_owner: 'me' });
  const folder = join(registry_dir, 'leases');
  expect((await readdir(folder)).sort()).toEqual(hosts.map(each => `${each.id}.json`).sort());
  expect(JSON.parse(await readFile(join(folder, `${first?.id}.json`), 'utf8'))).toMatchObject({ lease_owner: 'me' });

  // Another gateway: as after a restart.
  const other = await startGateway([gatewayRestPlugin], { registry_dir });
  await other.backend(String(second?.id));
  const body = JSON.stringify({ instance_id: second?.id, lease_owner: 'you' });
  const headers = { 'content-type': 'application/json' };
  const taken = await raw(other.url, '/v1/lease', { method: 'POST', body, headers });
  expect([taken.status, errorOf(taken.json).kind]).toEqual([409, 'instance-leased']);

  await waitFor(async () => (await poolOf(url, first?.id)).available, 'the end of the lease');
  expect(Date.now() / 1000).toBeGreaterThanOrEqual(Number(json.lease_expires_at));
  await waitFor(async () => (await readdir(folder)).length === 1, 'its file to go');
  // Whichever gateway ends it, each tells of it at its next look.
  await waitFor(() => app.gatewayEvents.list().some(each => each.event === 'lease_expired'), 'the word of it');

  await second?.server.close();
  await waitFor(async () => (await readdir(folder)).length === 0, 'the lease of an instance that has left');
});

test('the proxy to a host type passes leased instances over', async () => {
  const { url, backend, registry_dir } = await startGateway([gatewayRestPlugin, proxyPlugin]);
  const hosts = [await startHost(registry_dir, maya), await startHost(registry_dir, maya)];
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const take = (instance_id: unknown) =>
    raw(url, '/v1/lease', { method: 'POST', headers, body: JSON.stringify({ instance_id, lease_owner: 'me' }) });
  const initialize = () =>
    raw(url, '/mcp/dcc/maya', {
      method: 'POST',
      headers,
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      }),
    });
  for (const { id } of hosts) await backend(id);
  await take(hosts[0]?.id);
  for (let each = 0; each < 3; each += 1) expect((await initialize()).status).toBe(200);
  await take(hosts[1]?.id);
  const refused = await initialize();
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('leased');
});
