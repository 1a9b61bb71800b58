/** A call through a relay and a tunnel against one through the gateway's transparent proxy. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueTunnelToken } from '../../plugins/index.ts';
import { type Bench, interleave, median, ms, type Row, rate, ratio } from './bench.ts';
import { type Fleet, withFleet } from './gateway-fleet.ts';
import { load } from './load.ts';
import { type Peer, startPeer, withPeers } from './peer.ts';
import { echoCalls } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

/** Runs `body` with a tunnel that leads to `target`; the relay and the tunnel are processes of their own. */
async function withTunnel<T>(target: string, body: (relay: Peer, tunnel: Peer) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const keyFile = join(folder, 'relay.key');
  const tunnel_token = await issueTunnelToken({ keyFile, subject: 'bench', allowed: [], days: 1, issuer: null });
  let origin = '';
  const startRelay = async (): Promise<Peer> => {
    const peer = await startPeer('relay', { relay_key_file: keyFile });
    origin = peer.url;
    return peer;
  };
  const settings = { tunnel_target: new URL(target).origin, tunnel_token, dcc_type: 'maya', registry_dir: folder };
  const starts = [startRelay, () => startPeer('tunnel', { ...settings, tunnel_relay: origin })];
  try {
    return await withPeers(starts, (...peers) => body(...(peers as [Peer, Peer])));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const relay: Bench = {
  name: 'relay',
  title: 'tools/call echo through relay and tunnel against the transparent proxy',
  run: ({ seconds, rounds }) =>
    withFleet(1, async ({ gateway, instances: [instance] }) => {
      const { instance_id, url } = instance as Fleet['instances'][0];
      const proxied = `${gateway.url}/mcp/${instance_id}`;
      const headers = await sessionHeaders(url);
      return withTunnel(url, async (relayed, tunnel) => {
        const through = `${tunnel.url}/mcp`;
        const spent = { [through]: [] as number[], [proxied]: [] as number[] };
        const run = async (target: string, connections: number, by: readonly Peer[]) => {
          const cpu = async () => (await Promise.all(by.map(each => each.ask<number>('cpu')))).reduce((a, b) => a + b);
          const before = await cpu();
          const result = await load({ url: target, bodies: echoCalls('echo'), headers, connections, seconds });
          if (result.failures > 0) throw new Error(`${result.failures} calls of ${target} failed`);
          // The first tenth is not counted as requests, and costs all the same.
          spent[target]?.push((((await cpu()) - before) / result.requests) * 0.9 * 1000);
          return result;
        };
        const rows: Row[] = [];
        for (const connections of [16, 64]) {
          const sides = {
            relayed: async () => (await run(through, connections, [relayed, tunnel])).requestsPerSecond,
            proxied: async () => (await run(proxied, connections, [gateway])).requestsPerSecond,
          };
          const found = await interleave(sides, rounds);
          rows.push({
            what: `throughput, ${connections} connections`,
            ours: rate(found.relayed),
            other: rate(found.proxied),
            figure: ratio(found.relayed / found.proxied),
            target: '>= 0.50x',
          });
        }
        const micros = (target: string): number => median(spent[target] ?? []);
        rows.push({
          what: 'CPU per call of relay and tunnel, against the gateway',
          ours: `${micros(through).toFixed(0)} us`,
          other: `${micros(proxied).toFixed(0)} us`,
          figure: ratio(micros(through) / micros(proxied)),
          target: '<= 2.00x',
        });
        const one = (target: string, by: readonly Peer[]) => async () => median((await run(target, 1, by)).latencies);
        const found = await interleave({ relayed: one(through, [relayed]), proxied: one(proxied, [gateway]) }, rounds);
        const [ours, other] = [found.relayed, found.proxied];
        rows.push({
          what: 'p50, 1 connection',
          ours: ms(ours),
          other: ms(other),
          figure: ratio(ours / other),
          target: '-',
        });
        return rows;
      });
    }),
};
