/** A call through a skill's worker against the same call in the server thread. */
import { type Bench, interleave, median, ms, rate, ratio } from './bench.ts';
import { echoSkill, withSkills } from './bench-skill.ts';
import { load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { echoCalls } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

export const skillCall: Bench = {
  name: 'skill-call',
  title: 'tools/call through a skill worker against in-thread',
  run: ({ seconds, rounds }) =>
    withSkills({ echoes: echoSkill() }, folder =>
      withPeers(
        [() => startPeer('svc', { entry: builtFile('index.js'), options: { skill_paths: [folder] } })],
        async (...peers) => {
          const [svc] = peers as [Peer];
          await svc.ask('load', 'echoes');
          const headers = await sessionHeaders(svc.url);
          const run = async (tool: string, connections: number) => {
            const result = await load({ url: svc.url, bodies: echoCalls(tool), headers, connections, seconds });
            if (result.failures > 0) throw new Error(`${result.failures} calls of ${tool} failed`);
            return result;
          };
          const many = (tool: string) => async () => (await run(tool, 16)).requestsPerSecond;
          const one = (tool: string) => async () => median((await run(tool, 1)).latencies);
          const wide = await interleave({ worker: many('skill_echo'), thread: many('echo') }, rounds);
          const lone = await interleave({ worker: one('skill_echo'), thread: one('echo') }, rounds);
          return [
            {
              what: 'throughput, 16 connections',
              ours: rate(wide.worker),
              other: rate(wide.thread),
              figure: ratio(wide.worker / wide.thread),
              target: '>= 0.60x',
            },
            {
              what: 'p50, 1 connection',
              ours: ms(lone.worker),
              other: ms(lone.thread),
              figure: `+${ms(lone.worker - lone.thread)}`,
              target: '<= +0.1 ms',
            },
          ];
        },
      ),
    ),
};
