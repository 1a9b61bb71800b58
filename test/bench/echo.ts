/** tools/call of an echo tool: ours against bare node:http and against the official SDK's server. */
import { type Bench, interleave, rate, ratio } from './bench.ts';
import { load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { echoCalls } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

/** A sampler of requests per second at 64 connections. */
const throughput = (peer: Peer, headers: Record<string, string>, seconds: number) => async () => {
  const { requestsPerSecond, failures } = await load({
    url: peer.url,
    bodies: echoCalls('echo'),
    headers,
    connections: 64,
    seconds,
  });
  if (failures > 0) throw new Error(`${failures} requests failed`);
  return requestsPerSecond;
};

export const echo: Bench = {
  name: 'echo',
  title: 'tools/call echo in the server thread, 64 connections',
  run: ({ seconds, rounds }) =>
    withPeers(
      [() => startPeer('svc', { entry: builtFile('index.js') }), () => startPeer('bare'), () => startPeer('sdk')],
      async (svc, bare, sdk) => {
        const found = await interleave(
          {
            ours: throughput(svc as Peer, await sessionHeaders((svc as Peer).url), seconds),
            bare: throughput(bare as Peer, {}, seconds),
            sdk: throughput(sdk as Peer, await sessionHeaders((sdk as Peer).url), seconds),
          },
          rounds,
        );
        const row = (what: string, other: number, target: string) => ({
          what,
          ours: rate(found.ours),
          other: rate(other),
          figure: ratio(found.ours / other),
          target,
        });
        return [
          row('against bare node:http', found.bare, '>= 0.80x'),
          row('against the official SDK', found.sdk, '>= 4x'),
        ];
      },
    ),
};
