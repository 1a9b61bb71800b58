/** A thousand instances of other machines that register over HTTP and send heartbeats: what they cost the gateway. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { type Peer, startPeer, withPeers } from './peer.ts';

const count = 1000;

export const heartbeats: Bench = {
  name: 'heartbeats',
  title: `${count} instances registered over HTTP, a heartbeat of each every 10 s`,
  async run({ seconds }) {
    const registry_dir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    const starts = [() => startPeer('gateway', { registry_dir }), () => startPeer('remotes')];
    try {
      return await withPeers(starts, async (...peers) => {
        const [gateway, remotes] = peers as [Peer, Peer];
        await remotes.ask('start', { gateway: gateway.url, count });
        await gateway.ask('instances', count);
        await gateway.ask('tools', count);
        // The registrations are over, the first probes and readings too.
        await pause(5000);
        const [cpu, beats, began] = [
          await gateway.ask<number>('cpu'),
          await remotes.ask<number>('beats'),
          performance.now(),
        ];
        await pause(Math.max(10, seconds) * 1000);
        const took = performance.now() - began;
        const spent = (await gateway.ask<number>('cpu')) - cpu;
        const heard = (await remotes.ask<number>('beats')) - beats;
        const share = `${((100 * spent) / took).toFixed(1)} %`;
        const what = `CPU of the gateway, ${Math.round((heard * 1000) / took)} heartbeats a second, probes included`;
        return [{ what, ours: share, figure: share, target: '< 10 % of a core' }];
      });
    } finally {
      await rm(registry_dir, { recursive: true, force: true });
    }
  },
};
