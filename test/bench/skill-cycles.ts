/** Memory and load time over many loads and unloads of a skill that leaves timers, globals and listeners behind. */
import { post } from '../spec/wire.ts';
import { type Bench, median, megabytes, ms, type Row } from './bench.ts';
import { dirtySkill, withSkills } from './bench-skill.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { sessionHeaders } from './session.ts';

const mib = 1048576;

/** Calls the skill's tool, so that it makes its mess. */
async function makeMess(svc: Peer, headers: Record<string, string>): Promise<void> {
  await svc.ask('load', 'dirty');
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'dirty', arguments: {} } };
  const { text } = await post(svc.url, call, headers);
  if (!text.includes('ok')) throw new Error(`the dirty tool failed: ${text}`);
  await svc.ask('unload', 'dirty');
}

export const skillCycles: Bench = {
  name: 'skill-cycles',
  title: 'load/unload cycles of a skill that cleans nothing up',
  run: ({ cycles }) =>
    withSkills({ dirty: dirtySkill }, folder =>
      withPeers(
        [() => startPeer('svc', { entry: builtFile('index.js'), options: { skill_paths: [folder] } })],
        async (...peers) => {
          const [svc] = peers as [Peer];
          const headers = await sessionHeaders(svc.url);
          for (let warm = 0; warm < 20; warm += 1) await makeMess(svc, headers);
          const rss = [await svc.ask<number>('rss')];
          const loads: number[][] = [];
          for (let quarter = 0; quarter < 4; quarter += 1) {
            const times: number[] = [];
            for (let done = 0; done < cycles / 4; done += 50) {
              await makeMess(svc, headers);
              const count = Math.min(50, cycles / 4 - done) - 1;
              if (count > 0) times.push(...(await svc.ask<number[]>('cycle', { skill: 'dirty', count })));
            }
            loads.push(times);
            rss.push(await svc.ask<number>('rss'));
          }
          const [start = 0, , half = 0, , end = 0] = rss;
          const first = median((loads[0] ?? []).slice(0, 100));
          const last = median((loads[3] ?? []).slice(-100));
          const rows: Row[] = rss.map((bytes, index) => ({
            what: `RSS after ${Math.round((index * cycles) / 4)} cycles`,
            ours: megabytes(bytes),
            figure: `+${((bytes - start) / mib).toFixed(1)} MiB`,
            target: '',
          }));
          return [
            ...rows,
            {
              what: 'growth in all',
              ours: megabytes(end - start),
              figure: megabytes(end - start),
              target: '<= 64 MiB',
            },
            {
              what: 'growth, second half',
              ours: megabytes(end - half),
              figure: megabytes(end - half),
              target: '<= 16 MiB',
            },
            {
              what: 'load p50, last 100 against first 100',
              ours: ms(last),
              other: ms(first),
              figure: `${(last / first).toFixed(2)}x`,
              target: 'about 1x',
            },
          ];
        },
      ),
    ),
};
