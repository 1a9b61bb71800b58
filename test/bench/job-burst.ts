/** Many jobs at once with a client that listens: is every end told once, and does polling stay quick? */
import { connect } from '../spec/wire.ts';
import { type Bench, ms, percentile } from './bench.ts';
import type { LoadResult } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';

const jobs = 1000;
const inFlight = 64;
const terminal = ['completed', 'failed', 'cancelled', 'interrupted'];

export const jobBurst: Bench = {
  name: 'job-burst',
  title: `${jobs} jobs, ${inFlight} submitted at a time, three progress reports each`,
  run: ({ seconds }) =>
    // Polls are sent from a process of their own: the waits of a client that handles 64 answers at once are its own.
    withPeers(
      [() => startPeer('svc', { entry: builtFile('index.js') }), () => startPeer('loader')],
      async (...peers) => {
        const [svc, loader] = peers as [Peer, Peer];
        const client = await connect(svc.url, { protocolVersion: '2025-06-18' });
        const stream = await client.stream();
        const submit = async (token: string): Promise<string> => {
          const { structuredContent } = await client.call('job_work', { ms: 5, reports: 3 }, { progressToken: token });
          return String((structuredContent as { job_id: string }).job_id);
        };
        const first = await submit('first');
        const status = { name: 'jobs_get_status', arguments: { job_id: first } };
        const polls = loader.ask<LoadResult>('load', {
          url: svc.url,
          bodies: [0, 1].map(connection =>
            JSON.stringify({ jsonrpc: '2.0', id: `poll-${connection}`, method: 'tools/call', params: status }),
          ),
          headers: { 'mcp-session-id': client.sessionId },
          seconds,
          pace: 300,
        });

        const ids = new Set<string>([first]);
        let left = jobs;
        const began = performance.now();
        const worker = async (): Promise<void> => {
          while (left > 0) {
            left -= 1;
            ids.add(await submit(`token-${left}`));
          }
        };
        await Promise.all(Array.from({ length: inFlight }, worker));
        const ends = new Map<string, number>();
        let seen = 0;
        const reports = new Map<unknown, number>();
        const look = (): void => {
          for (; seen < stream.messages.length; seen += 1) {
            const { method, params } = stream.messages[seen] as { method: string; params: Record<string, unknown> };
            if (method === 'notifications/progress') {
              reports.set(params.progressToken, (reports.get(params.progressToken) ?? 0) + 1);
            }
            if (method !== 'notifications/$/dcc.jobUpdated' || !terminal.includes(String(params.status))) continue;
            if (params.status !== 'completed') throw new Error(`a job ended as ${params.status}: ${params.error}`);
            ends.set(String(params.job_id), (ends.get(String(params.job_id)) ?? 0) + 1);
          }
        };
        const giveUp = performance.now() + 30_000;
        for (look(); ends.size < ids.size && performance.now() < giveUp; look()) {
          await new Promise(resolve => setTimeout(resolve, 10));
        }
        const took = performance.now() - began;
        const { latencies, failures } = await polls;
        look();
        stream.close();
        if (failures > 0) throw new Error(`${failures} polls failed`);
        const once = [...ids].filter(id => ends.get(id) === 1).length;
        const figure = `${once} of ${ids.size}`;
        const poll = percentile(latencies, 99);
        const told = Math.min(...[...reports.values()]);
        return [
          {
            what: 'ends told exactly once',
            ours: figure,
            other: `in ${ms(took)}`,
            figure,
            target: `${jobs + 1} of ${jobs + 1}`,
          },
          { what: 'p99 of jobs_get_status', ours: ms(poll), figure: ms(poll), target: '<= 25 ms' },
          { what: 'fewest progress messages of a job', ours: String(told), figure: String(told), target: '>= 3' },
        ];
      },
    ),
};
