/** Calls through the gateway, by POST /v1/call and as agents do by MCP, against calling the instance directly. */
import { type Bench, interleave, median, ms, type Row, rate, ratio } from './bench.ts';
import { type Fleet, withFleet } from './gateway-fleet.ts';
import { type LoadOptions, load } from './load.ts';
import { echoArguments, echoCalls } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

type Side = Omit<LoadOptions, 'seconds' | 'connections'>;

/** Slug of the echo tool, once the index has it. */
export async function echoSlug(gateway: string): Promise<string> {
  const body = JSON.stringify({ query: 'echo', response_format: 'json' });
  for (;;) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${gateway}/v1/search`, { method: 'POST', headers, body });
    const { hits } = (await response.json()) as { hits: { backend_tool: string; tool_slug: string }[] };
    const found = hits.find(each => each.backend_tool === 'echo');
    if (found) return found.tool_slug;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

export const gatewayCall: Bench = {
  name: 'gateway-call',
  title: 'calls through the gateway against tools/call of the instance itself, echo',
  run: ({ seconds, rounds }) =>
    withFleet(1, async ({ gateway, instances: [instance] }) => {
      const { url } = instance as Fleet['instances'][0];
      const called = { tool_slug: await echoSlug(gateway.url), arguments: echoArguments };
      const body = JSON.stringify(called);
      const params = { name: 'call', arguments: called };
      const direct: Side = { url, bodies: echoCalls('echo'), headers: await sessionHeaders(url) };
      const hop: Side = { url: `${gateway.url}/v1/call`, bodies: () => [body] };
      const mcpUrl = `${gateway.url}/mcp`;
      const mcp: Side = {
        url: mcpUrl,
        bodies: id => [JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })],
        headers: await sessionHeaders(mcpUrl),
      };
      const sample = async (side: Side, connections: number) => {
        const found = await load({ ...side, connections, seconds });
        if (found.failures > 0) throw new Error(`${found.failures} calls of ${side.url} failed`);
        return found;
      };
      // A cold gateway is five times slower: what is measured is the state that it lives in.
      for (const side of [hop, mcp, direct]) await sample(side, 64);
      const rows: Row[] = [];
      for (const connections of [16, 64]) {
        const many = (side: Side) => async () => (await sample(side, connections)).requestsPerSecond;
        const found = await interleave({ hop: many(hop), mcp: many(mcp), direct: many(direct) }, rounds);
        const row = (way: string, ours: number, target: string): Row => ({
          what: `throughput of ${way}, ${connections} connections`,
          ours: rate(ours),
          other: rate(found.direct),
          figure: ratio(ours / found.direct),
          target,
        });
        rows.push(row('/v1/call', found.hop, '>= 0.40x'), row('MCP', found.mcp, 'none'));
      }
      const one = (side: Side) => async () => median((await sample(side, 1)).latencies);
      const found = await interleave({ hop: one(hop), direct: one(direct) }, rounds);
      const figure = `+${ms(found.hop - found.direct)}`;
      rows.push({
        what: 'p50 of /v1/call, 1 connection',
        ours: ms(found.hop),
        other: ms(found.direct),
        figure,
        target: 'none',
      });
      return rows;
    }),
};
