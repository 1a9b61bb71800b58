/** Two gateways over one registry reach for the same instance at once: one gets it, whatever each of them saw before. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Lease } from '../../../plugins/gateway/leases/api.ts';
import { createFolderStore } from '../../../plugins/gateway/leases/folder-store.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { tempDir } from '../../helper.ts';
import { startGateway } from './rig.ts';
import { gatewayOver, raw, toolsOfHost } from './support.ts';

const headers = { 'content-type': 'application/json' };

test('of two who ask two gateways for one instance at the same time, one holds it', async () => {
  const { url, hosts, registry_dir } = await gatewayOver([{ dcc_type: 'maya', setup: toolsOfHost }]);
  const other = await startGateway([gatewayRestPlugin], { registry_dir });
  const instance_id = String(hosts[0]?.id);
  await other.backend(instance_id);
  const say = async (at: string, lease_owner: string, action: string) => {
    const body = JSON.stringify({ instance_id, lease_owner, action, ttl_secs: 60 });
    return (await raw(at, '/v1/lease', { method: 'POST', headers, body })).status;
  };
  const askers = [
    { at: url, owner: 'left' },
    { at: other.url, owner: 'right' },
  ];
  for (let round = 0; round < 20; round += 1) {
    const answers = await Promise.all(askers.map(({ at, owner }) => say(at, owner, 'acquire')));
    expect([...answers].sort()).toEqual([200, 409]);
    const { at, owner } = askers[answers.indexOf(200)] as (typeof askers)[number];
    expect(await say(at, owner, 'release')).toBe(200);
    askers.reverse();
  }
});

test('a lease that is there is whole, and nobody takes away what another has put in its place', async () => {
  const folder = join(await tempDir(), 'leases');
  const [left, right] = [createFolderStore(folder), createFolderStore(folder)];
  const instance_id = '0a1b2c3d-0000-4000-8000-000000000000';
  const lease = (lease_owner: string, lease_expires_at = 1): Lease => ({
    ...{ instance_id, lease_owner, lease_expires_at, current_job_id: null },
  });
  for (let round = 0; round < 200; round += 1) {
    const [taken, found] = await Promise.all([
      left.create(lease('left')),
      right.create(lease('right')).then(async own => (own ? [lease('right')] : right.list())),
    ]);
    // Who came second sees who came first.
    expect(found).toEqual([taken ? lease('left') : lease('right')]);
    await left.remove(lease(taken ? 'left' : 'right'));
    expect(await right.list()).toEqual([]);
  }
  await left.create(lease('left'));
  const [expired] = await right.list();
  await left.replace(lease('left', 2));
  await right.remove(expired as Lease);
  expect(await left.list()).toEqual([lease('left', 2)]);
});
