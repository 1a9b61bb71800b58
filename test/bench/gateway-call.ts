/** POST /v1/call through the gateway against calling the instance directly: parsed, routed, audited. */
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
  title: 'POST /v1/call of the gateway against tools/call of the instance itself, echo',
  run: ({ seconds, rounds }) =>
    withFleet(1, async ({ gateway, instances: [instance] }) => {
      const { url } = instance as Fleet['instances'][0];
      const body = JSON.stringify({ tool_slug: await echoSlug(gateway.url), arguments: echoArguments });
      const direct: Side = { url, bodies: echoCalls('echo'), headers: await sessionHeaders(url) };
      const hop: Side = { url: `${gateway.url}/v1/call`, bodies: () => [body] };
      const sample = async (side: Side, connections: number) => {
        const found = await load({ ...side, connections, seconds });
        if (found.failures > 0) throw new Error(`${found.failures} calls of ${side.url} failed`);
        return found;
      };
      // A cold gateway is five times slower: what is measured is the state that it lives in.
      await sample(hop, 64);
      await sample(direct, 64);
      const rows: Row[] = [];
      for (const connections of [16, 64]) {
        const many = (side: Side) => async () => (await sample(side, connections)).requestsPerSecond;
        const found = await interleave({ hop: many(hop), direct: many(direct) }, rounds);
        rows.push({
          what: `throughput, ${connections} connections`,
          ours: rate(found.hop),
          other: rate(found.direct),
          figure: ratio(found.hop / found.direct),
          target: '>= 0.40x',
        });
      }
      const one = (side: Side) => async () => median((await sample(side, 1)).latencies);
      const found = await interleave({ hop: one(hop), direct: one(direct) }, rounds);
      const figure = `+${ms(found.hop - found.direct)}`;
      rows.push({ what: 'p50, 1 connection', ours: ms(found.hop), other: ms(found.direct), figure, target: 'none' });
      return rows;
    }),
};
