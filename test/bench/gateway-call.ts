/** POST /v1/call through the gateway against calling the instance directly: parsed, routed, audited. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, interleave, ms, median, rate, ratio } from './bench.ts';
import { load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { echoArguments, echoCalls } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

export const gatewayCall: Bench = {
  name: 'gateway-call',
  title: 'POST /v1/call of the gateway against tools/call of the instance behind it, echo',
  async run({ seconds, rounds }) {
    const registry_dir = mkdtempSync(join(tmpdir(), 'svc-bench-registry-'));
    try {
      return await withPeers(
        [
          () => startPeer('svc', { entry: builtFile('index.js'), options: { registry_dir, dcc_type: 'maya' } }),
          () => startPeer('gateway', { registry_dir }),
        ],
        async (...peers) => {
          const [instance, gateway] = peers as [Peer, Peer];
          const headers = await sessionHeaders(instance.url);
          const tool_slug = await gateway.ask<string>('slug', 'echo');
          const direct = (connections: number) => ({ url: instance.url, bodies: echoCalls('echo'), headers, connections });
          const body = JSON.stringify({ tool_slug, arguments: echoArguments });
          const hop = (connections: number) => ({ url: gateway.url, bodies: () => [body], connections });
          const sample = async (options: ReturnType<typeof direct> | ReturnType<typeof hop>) => {
            const found = await load({ ...options, seconds });
            if (found.failures > 0) throw new Error(`${found.failures} requests failed`);
            return found;
          };
          const throughput = (options: Parameters<typeof sample>[0]) => async () => (await sample(options)).requestsPerSecond;
          const p50 = (options: Parameters<typeof sample>[0]) => async () => median((await sample(options)).latencies);
          const found = await interleave(
            {
              hop16: throughput(hop(16)),
              direct16: throughput(direct(16)),
              hop64: throughput(hop(64)),
              direct64: throughput(direct(64)),
              hop1: p50(hop(1)),
              direct1: p50(direct(1)),
            },
            rounds,
          );
          const row = (what: string, ours: number, other: number) => ({
            what,
            ours: rate(ours),
            other: rate(other),
            figure: ratio(ours / other),
            target: '>= 0.30x',
          });
          return [
            row('16 connections', found.hop16, found.direct16),
            row('64 connections', found.hop64, found.direct64),
            {
              what: 'p50, 1 connection',
              ours: ms(found.hop1),
              other: ms(found.direct1),
              figure: ms(found.hop1 - found.direct1),
              target: 'none',
            },
          ];
        },
      );
    } finally {
      rmSync(registry_dir, { recursive: true, force: true });
    }
  },
};
