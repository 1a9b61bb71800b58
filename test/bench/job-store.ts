/** Durable jobs with three transitions each, against the same rows written by prepared better-sqlite3 statements. */
import { type Bench, interleave, ratio } from './bench.ts';
import { type Peer, startPeer, withPeers } from './peer.ts';

const jobs = 2000;
const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')} jobs/s`;

export const jobStore: Bench = {
  name: 'job-store',
  title: `${jobs} durable jobs of three transitions`,
  rounds: 7,
  run: ({ rounds }) =>
    withPeers([() => startPeer('job-store')], async (...peers) => {
      const [peer] = peers as [Peer];
      const sides = { ours: () => peer.ask<number>('ours', jobs), bare: () => peer.ask<number>('bare', jobs) };
      await interleave(sides, 1);
      const found = await interleave(sides, rounds);
      return [
        {
          what: 'jobs submitted and ended, against their rows alone',
          ours: perSecond(found.ours),
          other: perSecond(found.bare),
          figure: ratio(found.ours / found.bare),
          target: '>= 0.50x',
        },
      ];
    }),
};
