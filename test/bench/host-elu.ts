/** What serving costs the host: event-loop utilisation of its main thread under server-side calls, dedicated mode. */
import { type Bench, median, rate } from './bench.ts';
import { echoSkill, withSkills } from './bench-skill.ts';
import { load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { echoCalls, plainRequests } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

const pace = 5000;

export const hostElu: Bench = {
  name: 'host-elu',
  title: `host main thread at ${pace} req/s of calls that the server answers itself (skill call, ping, tools/list)`,
  run: ({ seconds, rounds }) =>
    withSkills({ echoes: echoSkill() }, folder => {
      const svc = (spawn_mode: string) => () =>
        startPeer('svc', { entry: builtFile('index.js'), options: { skill_paths: [folder], spawn_mode } });
      return withPeers([svc('dedicated'), svc('ambient')], async (...peers) => {
        const taken = { elu: [[], []] as number[][], reached: [[], []] as number[][] };
        const headers = await Promise.all(peers.map(peer => sessionHeaders(peer.url)));
        await Promise.all(peers.map(peer => peer.ask('load', 'echoes')));
        for (let round = 0; round < rounds; round += 1) {
          for (const [side, peer] of (peers as Peer[]).entries()) {
            await peer.ask('elu-start');
            const { requestsPerSecond } = await load({
              url: peer.url,
              bodies: each => [...echoCalls('skill_echo')(each), ...plainRequests('ping', 'tools/list')(each)],
              headers: headers[side] ?? {},
              connections: 32,
              seconds,
              pace,
            });
            taken.elu[side]?.push(await peer.ask<number>('elu-read'));
            taken.reached[side]?.push(requestsPerSecond);
          }
        }
        const [dedicated = 0, ambient = 0] = taken.elu.map(median);
        const [reached = 0, other = 0] = taken.reached.map(median);
        return [
          {
            what: 'utilisation (other: ambient)',
            ours: dedicated.toFixed(4),
            other: ambient.toFixed(4),
            figure: dedicated.toFixed(4),
            target: '<= 0.02',
          },
          { what: 'rate reached', ours: rate(reached), other: rate(other), figure: rate(reached), target: rate(pace) },
        ];
      });
    }),
};
