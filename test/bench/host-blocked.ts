/** What a client sees while the host's main thread blocks for five seconds, dedicated mode. */
import { connect } from '../spec/wire.ts';
import { type Bench, ms, percentile } from './bench.ts';
import { load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { echoArguments, plainRequests } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

const blockMs = 5000;
const timeoutMs = 1000;

export const hostBlocked: Bench = {
  name: 'host-blocked',
  title: `the host blocks for ${blockMs} ms; request_timeout_ms is ${timeoutMs}`,
  run: () =>
    withPeers(
      [
        () =>
          startPeer('svc', {
            entry: builtFile('index.js'),
            options: { spawn_mode: 'dedicated', request_timeout_ms: timeoutMs },
          }),
      ],
      async (...peers) => {
        const [svc] = peers as [Peer];
        const host = await connect(svc.url);
        const sample = async (method: string) => {
          const { latencies, failures } = await load({
            url: svc.url,
            bodies: plainRequests(method),
            headers: await sessionHeaders(svc.url),
            connections: 4,
            seconds: (blockMs - 1000) / 1000,
            pace: 200,
          });
          if (failures > 0) throw new Error(`${failures} of ${method} failed`);
          return latencies;
        };
        const hostCall = async (wait: number) => {
          await new Promise(resolve => setTimeout(resolve, wait));
          const started = performance.now();
          const { error } = await host.request('tools/call', { name: 'echo', arguments: echoArguments });
          if (!error) throw new Error('a call into the blocked host was answered');
          return performance.now() - started - timeoutMs;
        };
        await svc.ask('block', blockMs);
        await new Promise(resolve => setTimeout(resolve, 100));
        const [pings, lists, ...late] = await Promise.all([
          sample('ping'),
          sample('tools/list'),
          ...Array.from({ length: 10 }, (_, index) => hostCall(index * 200)),
        ]);
        const off = percentile(late.map(Math.abs), 100);
        const p99 = (what: string, values: number[]) => ({
          what: `${what} p99`,
          ours: ms(percentile(values, 99)),
          figure: `${values.length} answers`,
          target: '<= 25 ms',
        });
        return [
          p99('ping', pings),
          p99('tools/list', lists),
          {
            what: 'worst host call against its deadline',
            ours: ms(off),
            figure: `${late.length} calls`,
            target: '<= 50 ms off',
          },
        ];
      },
    ),
};
