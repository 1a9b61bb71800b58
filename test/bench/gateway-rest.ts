/**
 * What a gateway costs while nobody asks anything, in front of 200 running instances with heartbeats: beside a bare process
 * that holds the same sockets, over the same span of time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, megabytes } from './bench.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';

const processes = 8;
const each = 25;
const settleMs = 20_000;
const watchedMs = 30_000;

interface Listed {
  mcp_url: string;
}

export const gatewayRest: Bench = {
  name: 'gateway-rest',
  title: `the gateway at rest, ${processes * each} instances with heartbeats at 5 s`,
  async run() {
    const registry_dir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    const entry = builtFile('index.js');
    const many = () => startPeer('many', { entry, registry_dir, count: each });
    try {
      return await withPeers(
        [
          ...Array.from({ length: processes }, () => many),
          () => startPeer('gateway', { registry_dir }),
          () => startPeer('holder'),
        ],
        async (...peers) => {
          const [gateway, holder] = peers.slice(-2) as [Peer, Peer];
          await gateway.ask('instances', processes * each);
          const listed = (await (await fetch(`${gateway.url}/v1/instances`)).json()) as { instances: Listed[] };
          await holder.ask(
            'hold',
            listed.instances.map(({ mcp_url }) => mcp_url),
          );
          await pause(settleMs);
          const spent = () => Promise.all([gateway, holder].map(peer => peer.ask<number>('cpu')));
          const before = await spent();
          await pause(watchedMs);
          const [ours, bare] = (await spent()).map((ms, at) => ((ms - (before[at] ?? 0)) / watchedMs) * 100);
          const resident = megabytes(await gateway.ask<number>('rss'));
          const share = (percent = 0): string => `${percent.toFixed(2)} %`;
          const beside = share((ours ?? 0) - (bare ?? 0));
          return [
            { what: 'share of one core', ours: share(ours), other: share(bare), figure: beside, target: '<= 3 %' },
            { what: 'resident', ours: resident, figure: resident, target: '-' },
          ];
        },
      );
    } finally {
      await rm(registry_dir, { recursive: true, force: true });
    }
  },
};

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
