/** The transparent proxy of the gateway against calling the instance directly. */
import { type Bench, interleave, median, ms, type Row, rate, ratio } from './bench.ts';
import { type Fleet, withFleet } from './gateway-fleet.ts';
import { load } from './load.ts';
import { echoCalls } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

export const proxyHop: Bench = {
  name: 'proxy-hop',
  title: 'tools/call echo through the transparent proxy against the instance itself',
  run: ({ seconds, rounds }) =>
    withFleet(1, async ({ gateway, instances: [instance] }) => {
      const { instance_id, url } = instance as Fleet['instances'][0];
      const proxied = `${gateway.url}/mcp/${instance_id}`;
      const headers = await sessionHeaders(url);
      const run = async (target: string, connections: number) => {
        const result = await load({ url: target, bodies: echoCalls('echo'), headers, connections, seconds });
        if (result.failures > 0) throw new Error(`${result.failures} calls of ${target} failed`);
        return result;
      };
      // A cold gateway is slower: what is measured is the state that it lives in.
      for (const target of [proxied, url]) await run(target, 64);
      const rows: Row[] = [];
      for (const connections of [16, 64]) {
        const many = (target: string) => async () => (await run(target, connections)).requestsPerSecond;
        const found = await interleave({ proxied: many(proxied), direct: many(url) }, rounds);
        rows.push({
          what: `throughput, ${connections} connections`,
          ours: rate(found.proxied),
          other: rate(found.direct),
          figure: ratio(found.proxied / found.direct),
          target: '>= 0.48x',
        });
      }
      const one = (target: string) => async () => median((await run(target, 1)).latencies);
      const found = await interleave({ proxied: one(proxied), direct: one(url) }, rounds);
      rows.push({
        what: 'p50, 1 connection',
        ours: ms(found.proxied),
        other: ms(found.direct),
        figure: `+${ms(found.proxied - found.direct)}`,
        target: '<= +0.2 ms',
      });
      return rows;
    }),
};
