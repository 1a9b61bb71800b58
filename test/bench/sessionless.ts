/** The sessionless revision: tools/call and server/discover against bare node:http, and both eras side by side. */
import { type Bench, interleave, rate, ratio } from './bench.ts';
import { type LoadOptions, load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { echoArguments, echoCalls } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

const connections = 64;
const revision = '2026-07-28';
const meta = 'io.modelcontextprotocol';
const _meta = {
  [`${meta}/protocolVersion`]: revision,
  [`${meta}/clientCapabilities`]: {},
  [`${meta}/clientInfo`]: { name: 'bench', version: '1' },
};

const body = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
const routed = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': revision,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

type Asked = Pick<LoadOptions, 'bodies' | 'headers'>;

/** A call of the tool `echo`. */
export const call: Asked = {
  bodies: id => [body(id, 'tools/call', { name: 'echo', arguments: echoArguments })],
  headers: routed('tools/call', 'echo'),
};
const discover: Asked = { bodies: id => [body(id, 'server/discover', {})], headers: routed('server/discover') };

/** Requests in a second; throws when one fails. */
export async function throughput(peer: Peer, asked: Asked, seconds: number, among = connections): Promise<number> {
  const { requestsPerSecond, failures } = await load({ url: peer.url, connections: among, seconds, ...asked });
  if (failures > 0) throw new Error(`${failures} requests failed`);
  return requestsPerSecond;
}

/** What one request is answered with, for a peer that answers nothing else. */
async function answerTo(peer: Peer, { bodies, headers }: Asked): Promise<string> {
  const accept = 'application/json, text/event-stream';
  const answer = await fetch(peer.url, {
    method: 'POST',
    headers: { ...headers, accept, 'content-type': 'application/json' },
    body: bodies(1)[0] ?? '',
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.text();
}

export const sessionless: Bench = {
  name: 'sessionless',
  title: `requests of ${revision}, ${connections} connections`,
  run: ({ seconds, rounds }) =>
    withPeers(
      [
        () => startPeer('svc', { entry: builtFile('index.js') }),
        () => startPeer('bare'),
        () => startPeer('bare', { bytes: '{}' }),
      ],
      async (...peers) => {
        const [svc, bare, canned] = peers as [Peer, Peer, Peer];
        const session: Asked = { bodies: echoCalls('echo'), headers: await sessionHeaders(svc.url) };
        await canned.ask('bytes', await answerTo(svc, discover));
        const half = connections / 2;
        const found = await interleave(
          {
            call: () => throughput(svc, call, seconds),
            bareCall: () => throughput(bare, { bodies: echoCalls('echo') }, seconds),
            discover: () => throughput(svc, discover, seconds),
            bareDiscover: () => throughput(canned, discover, seconds),
            session: () => throughput(svc, session, seconds),
            both: async () => {
              const parts = [throughput(svc, call, seconds, half), throughput(svc, session, seconds, half)];
              return (await Promise.all(parts)).reduce((sum, each) => sum + each, 0);
            },
          },
          rounds,
        );
        // A server that takes requests in turns does as many of each: the mean of the times of both.
        const expected = 2 / (1 / found.call + 1 / found.session);
        const row = (what: string, ours: number, other: number, target: string) => ({
          what,
          ours: rate(ours),
          other: rate(other),
          figure: ratio(ours / other),
          target,
        });
        return [
          row('tools/call against bare node:http', found.call, found.bareCall, '>= 0.75x'),
          row('server/discover against bare node:http', found.discover, found.bareDiscover, '>= 0.75x'),
          row('tools/call against that of a session', found.call, found.session, 'none'),
          row('both eras at once against each alone', found.both, expected, '>= 0.95x'),
        ];
      },
    ),
};
