/** One resource update to thousands of sessions: ours against the plain event-stream plugin, in the same run. */
import { type Bench, interleave, median, ms, percentile, type Row, ratio } from './bench.ts';
import { load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { plainRequests } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

const sessions = 10_000;
const fewSessions = 1000;
const warmUp = 500;
const uri = 'scene://current';
const updatesPerRound = 5;

/** Milliseconds from the update to its last arrival. */
const updateTime = (server: Peer, flock: Peer) => async () => {
  const times: number[] = [];
  for (let turn = 0; turn < updatesPerRound; turn += 1) {
    await flock.ask('reset');
    const began = await server.ask<number>('update', uri);
    times.push((await flock.ask<number>('wait', sessions)) - began);
  }
  return median(times);
};

const memory = (what: string, bytes: number): Row => {
  const figure = `${(bytes / 1024).toFixed(1)} KiB`;
  return { what: `RSS per open session at ${what}`, ours: figure, figure, target: '<= 20 KB' };
};

const coldReadings = 3;

/** Growth per session of a server that has just begun, nothing collected and nothing touched before. */
async function coldGrowth(start: () => Promise<Peer>): Promise<number> {
  const readings: number[] = [];
  for (let turn = 0; turn < coldReadings; turn += 1) {
    await withPeers([start, () => startPeer('flock')], async (...peers) => {
      const [server, flock] = peers as [Peer, Peer];
      await new Promise(resolve => setTimeout(resolve, 2000));
      const before = await server.ask<number>('resident');
      await flock.ask('open', { url: server.url, count: fewSessions, follow: uri });
      readings.push(((await server.ask<number>('resident')) - before) / fewSessions);
    });
  }
  return median(readings);
}

/** The same reading of both: most of it is V8's young generation, which grows once and belongs to no session. */
async function coldRow(): Promise<Row> {
  const ours = await coldGrowth(() => startSvc());
  const other = await coldGrowth(() => startPeer('bare-sessions'));
  const what = `RSS growth per session by the first ${fewSessions} of a cold server, against bare node:http`;
  const size = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
  return { what, ours: size(ours), other: size(other), figure: ratio(ours / other), target: '-' };
}

const startSvc = (): Promise<Peer> =>
  startPeer('svc', { entry: builtFile('index.js'), options: { max_sessions: sessions + 10 } });

export const fanOut: Bench = {
  name: 'fan-out',
  title: `one resource update to ${sessions} sessions`,
  run: async ({ rounds, seconds }) => {
    const rows = await withPeers(
      [startSvc, () => startPeer('plain-sse'), () => startPeer('flock'), () => startPeer('flock')],
      async (...peers) => {
        const [svc, plain, ours, theirs] = peers as [Peer, Peer, Peer, Peer];
        const headers = await sessionHeaders(svc.url);
        // What the first sessions cost is compiled code and the first growth of the heap, which no further one costs: they
        // are opened, written to and ended before anything is measured.
        await ours.ask('open', { url: svc.url, count: warmUp, follow: uri });
        await svc.ask('update', uri);
        await ours.ask('wait', warmUp);
        await ours.ask('close', svc.url);
        const atRest = await svc.ask<number>('rss');
        await ours.ask('open', { url: svc.url, count: fewSessions, follow: uri });
        const withFew = (await svc.ask<number>('rss')) - atRest;
        await ours.ask('open', { url: svc.url, count: sessions - fewSessions, follow: uri });
        const withAll = (await svc.ask<number>('rss')) - atRest;
        await theirs.ask('open', { url: plain.url, count: sessions });

        const sides = { ours: updateTime(svc, ours), plain: updateTime(plain, theirs) };
        // The first update of each is the one that compiles.
        await interleave(sides, 1);
        const found = await interleave(sides, rounds);

        await svc.ask('block-start');
        await sides.ours();
        const block = await svc.ask<number>('block-read');

        let pinging = true;
        const pings = load({
          url: svc.url,
          bodies: plainRequests('ping'),
          headers,
          connections: 2,
          seconds,
          pace: 500,
        });
        const updating = (async () => {
          while (pinging) await sides.ours();
        })();
        const { latencies, failures } = await pings;
        pinging = false;
        await updating;
        if (failures > 0) throw new Error(`${failures} pings failed`);
        const ping = percentile(latencies, 99);
        return [
          {
            what: 'update to last arrival, against the plain plugin',
            ours: ms(found.ours),
            other: ms(found.plain),
            figure: ratio(found.ours / found.plain),
            target: '<= 0.80x',
          },
          { what: 'longest block of the loop', ours: ms(block), figure: ms(block), target: '<= 15 ms' },
          { what: 'ping p99 meanwhile', ours: ms(ping), figure: ms(ping), target: '<= 25 ms' },
          memory(String(fewSessions), withFew / fewSessions),
          memory(String(sessions), withAll / sessions),
          // Free of the young generation, whose size of up to 32 MiB depends on when it was last collected.
          memory(`${sessions}, each beyond ${fewSessions}`, (withAll - withFew) / (sessions - fewSessions)),
        ];
      },
    );
    return [...rows, await coldRow()];
  },
};
