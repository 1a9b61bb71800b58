/** From the kill -9 of an instance to the first search that does not offer it, and what its callers get. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, median, ms, percentile } from './bench.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';

const inFlight = 10;

interface Hit {
  tool_slug: string;
  instance_id: string;
}

export const instanceKill: Bench = {
  name: 'instance-kill',
  title: 'an instance is killed with -9 while calls are in flight',
  rounds: 10,
  async run({ rounds }) {
    const registry_dir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    const gone: number[] = [];
    const told: number[] = [];
    try {
      await withPeers([() => startPeer('gateway', { registry_dir })], async (...peers) => {
        const [gateway] = peers as [Peer];
        for (let round = 0; round < rounds; round += 1) {
          const victim = await startPeer('svc', {
            entry: builtFile('index.js'),
            options: { registry_dir, dcc_type: 'maya' },
          });
          const slug = await slugOf(gateway.url, 'job_work');
          const calls = Array.from({ length: inFlight }, () => waitingCall(gateway.url, slug));
          await new Promise(resolve => setTimeout(resolve, 300));
          const killed = performance.now();
          process.kill(victim.pid, 'SIGKILL');
          const searching = (async () => {
            while ((await search(gateway.url, 'job_work')).length > 0) {
              await new Promise(resolve => setTimeout(resolve, 10));
            }
            gone.push(performance.now() - killed);
          })();
          for (const { status, kind, at } of await Promise.all(calls)) {
            if (status < 400 || kind === undefined) throw new Error(`a call in flight was answered with ${status}`);
            told.push(at - killed);
          }
          await searching;
        }
      });
    } finally {
      await rm(registry_dir, { recursive: true, force: true });
    }
    const worst = percentile(gone, 100);
    return [
      {
        what: `no longer offered, worst of ${rounds}`,
        ours: ms(median(gone)),
        figure: ms(worst),
        target: '<= 1000 ms',
      },
      {
        what: `typed error of ${told.length} calls in flight, worst`,
        ours: ms(median(told)),
        figure: ms(percentile(told, 100)),
        target: 'at once',
      },
    ];
  },
};

async function post(url: string, body: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

async function search(gateway: string, query: string): Promise<Hit[]> {
  const { json } = await post(`${gateway}/v1/search`, { query });
  return (json.hits as (Hit & { backend_tool: string })[]).filter(each => each.backend_tool === query);
}

async function slugOf(gateway: string, tool: string): Promise<string> {
  for (;;) {
    const [hit] = await search(gateway, tool);
    if (hit) return hit.tool_slug;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** A call that its instance answers only in a minute: it waits for the end of its job. */
async function waitingCall(gateway: string, tool_slug: string) {
  const meta = { dcc: { async: true, wait_for_terminal: true } };
  const { status, json } = await post(`${gateway}/v1/call`, { tool_slug, arguments: { ms: 60_000 }, meta });
  return { status, kind: (json.error as { kind?: string } | undefined)?.kind, at: performance.now() };
}
