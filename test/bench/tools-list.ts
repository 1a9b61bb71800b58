/** tools/list with 1,000 tools in one page: cached against rebuilt, and against bare http sending the same bytes. */
import { post } from '../spec/wire.ts';
import { type Bench, interleave, rate, ratio } from './bench.ts';
import { load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { plainRequests } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

const bodies = plainRequests('tools/list');
const count = 1000;

const svc = (enable_tool_cache: boolean) => () =>
  startPeer('svc', {
    entry: builtFile('index.js'),
    tools: count,
    options: { tools_page_size: 2 * count, enable_tool_cache },
  });

const throughput = (peer: Peer, headers: Record<string, string>, seconds: number) => async () => {
  const { requestsPerSecond, failures } = await load({ url: peer.url, bodies, headers, connections: 16, seconds });
  if (failures > 0) throw new Error(`${failures} requests failed`);
  return requestsPerSecond;
};

export const toolsList: Bench = {
  name: 'tools-list',
  title: `tools/list with ${count} tools, 16 connections`,
  run: ({ seconds, rounds }) =>
    withPeers([svc(true), svc(false), () => startPeer('bare', { bytes: '{}' })], async (...peers) => {
      const [cached, rebuilt, bare] = peers as [Peer, Peer, Peer];
      const headers = await sessionHeaders(cached.url);
      const { text } = await post(cached.url, bodies(1)[0], headers);
      await bare.ask('bytes', text);
      const found = await interleave(
        {
          cached: throughput(cached, headers, seconds),
          rebuilt: throughput(rebuilt, await sessionHeaders(rebuilt.url), seconds),
          bare: throughput(bare, {}, seconds),
        },
        rounds,
      );
      const row = (what: string, other: number, target: string) => ({
        what,
        ours: rate(found.cached),
        other: rate(other),
        figure: ratio(found.cached / other),
        target,
      });
      return [
        row('against rebuilding per request', found.rebuilt, '>= 15x'),
        row(`against bare http, ${text.length} bytes`, found.bare, '>= 0.80x'),
      ];
    }),
};
