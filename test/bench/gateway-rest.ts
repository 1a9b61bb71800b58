/** What a gateway costs while nobody asks anything, in front of 200 running instances with heartbeats. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, megabytes } from './bench.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';

const processes = 8;
const each = 25;
const settleMs = 20_000;
const watchedMs = 30_000;

export const gatewayRest: Bench = {
  name: 'gateway-rest',
  title: `the gateway at rest, ${processes * each} instances with heartbeats at 5 s`,
  async run() {
    const registry_dir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    const entry = builtFile('index.js');
    const many = () => startPeer('many', { entry, registry_dir, count: each });
    try {
      return await withPeers(
        [...Array.from({ length: processes }, () => many), () => startPeer('gateway', { registry_dir })],
        async (...peers) => {
          const gateway = peers.at(-1) as Peer;
          await gateway.ask('instances', processes * each);
          await pause(settleMs);
          const before = await gateway.ask<number>('cpu');
          await pause(watchedMs);
          const share = (((await gateway.ask<number>('cpu')) - before) / watchedMs) * 100;
          const resident = await gateway.ask<number>('rss');
          const figure = `${share.toFixed(2)} %`;
          return [
            { what: 'share of one core', ours: figure, figure, target: '< 5 %' },
            { what: 'resident', ours: megabytes(resident), figure: megabytes(resident), target: '-' },
          ];
        },
      );
    } finally {
      await rm(registry_dir, { recursive: true, force: true });
    }
  },
};

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
