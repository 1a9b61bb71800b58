/** A gateway and its instances for a benchmark, over a registry of their own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';

export interface Fleet {
  gateway: Peer;
  instances: readonly (Peer & { instance_id: string })[];
}

/** Runs `body` with `count` instances behind a gateway. */
export async function withFleet<T>(count: number, body: (fleet: Fleet) => Promise<T>): Promise<T> {
  const registry_dir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const options = { registry_dir, dcc_type: 'maya' };
  const svc = () => startPeer('svc', { entry: builtFile('index.js'), options });
  try {
    return await withPeers(
      [...Array.from({ length: count }, () => svc), () => startPeer('gateway', { registry_dir })],
      async (...peers) => {
        const gateway = peers.at(-1) as Peer;
        await gateway.ask('instances', count);
        const listed = (await (await fetch(`${gateway.url}/v1/instances`)).json()) as {
          instances: { instance_id: string; mcp_url: string }[];
        };
        const instances = peers.slice(0, -1).map(peer => {
          const row = listed.instances.find(each => each.mcp_url === peer.url);
          if (!row) throw new Error(`${peer.url} is not registered`);
          return { ...peer, instance_id: row.instance_id };
        });
        return body({ gateway, instances });
      },
    );
  } finally {
    await rm(registry_dir, { recursive: true, force: true });
  }
}
