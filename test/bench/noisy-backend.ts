/** Ten instances behind one gateway: one that is slow, crashes or flaps must not be felt by callers of the others. */
import { type Bench, median, ms, percentile, type Row, ratio } from './bench.ts';
import { type Fleet, withFleet } from './gateway-fleet.ts';
import { load } from './load.ts';
import { type Peer, startPeer, withPeers } from './peer.ts';
import { echoCalls } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

const count = 10;
const connectionsEach = 2;
const paceEach = 40;
const heartbeatMs = 200;
const noisyId = 'bad00000-0000-4000-8000-000000000000';

/** How the tenth instance misbehaves, and how hard it is asked all the while. */
const moods = {
  slow: 'that takes 200 ms for everything',
  crashing: 'that breaks every connection',
  flapping: 'that is there for 100 ms and gone for 100 ms',
} as const;
type Mood = keyof typeof moods | 'none';

export const noisyBackend: Bench = {
  name: 'noisy-backend',
  title: 'p99 of nine instances behind the gateway while the tenth misbehaves, against while it does not',
  rounds: 8,
  run: ({ seconds, rounds }) =>
    withFleet(count - 1, ({ gateway, instances }) =>
      withPeers([() => startPeer('noisy')], async (...peers) => {
        const [noisy] = peers as [Peer];
        const port = Number(new URL(noisy.url).port);
        const assert = () => gateway.ask('register', { instance_id: noisyId, port }).catch(() => undefined);
        await assert();
        const heartbeat = setInterval(() => void assert(), heartbeatMs);
        try {
          const taken: Record<Mood, number[]> = { none: [], slow: [], crashing: [], flapping: [] };
          await sample(gateway.url, instances, 'none', seconds);
          const order: Mood[] = ['none', 'slow', 'crashing', 'flapping'];
          for (let round = 0; round < rounds; round += 1) {
            for (const mood of order) {
              await noisy.ask('become', mood);
              taken[mood].push(percentile(await sample(gateway.url, instances, mood, seconds), 99));
            }
            // None of them is always the first, which is the coldest.
            order.push(order.shift() as Mood);
          }
          return rowsOf(taken);
        } finally {
          clearInterval(heartbeat);
        }
      }),
    ),
};

/** Of the p99 of each round the median: one hiccup of the machine is not the gateway's. */
function rowsOf(taken: Record<Mood, number[]>): Row[] {
  const quiet = median(taken.none);
  return (Object.keys(moods) as (keyof typeof moods)[]).map(mood => {
    const p99 = median(taken[mood]);
    return {
      what: `one ${moods[mood]}`,
      ours: ms(p99),
      other: ms(quiet),
      figure: ratio(p99 / quiet),
      target: '<= 1.25x',
    };
  });
}

/** Latencies of calls to the quiet ones, while the noisy one is asked at the same pace. */
async function sample(gateway: string, quiet: Fleet['instances'], mood: Mood, seconds: number): Promise<number[]> {
  const paced = { connections: connectionsEach, pace: paceEach, seconds };
  const disturbance = load({
    url: `${gateway}/mcp/${noisyId}`,
    bodies: echoCalls('echo'),
    ...paced,
  });
  const results = await Promise.all(
    quiet.map(async ({ instance_id, url }) => {
      const headers = await sessionHeaders(url);
      return load({ url: `${gateway}/mcp/${instance_id}`, bodies: echoCalls('echo'), headers, ...paced });
    }),
  );
  await disturbance;
  const failures = results.reduce((sum, each) => sum + each.failures, 0);
  if (failures > 0) throw new Error(`${failures} calls of quiet instances failed while one was ${mood}`);
  return results.flatMap(each => each.latencies);
}
