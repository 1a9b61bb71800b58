/** Audit rows written in batches, against the same rows by prepared better-sqlite3 statements, and what the loop feels of it. */
import { type Bench, interleave, median, ms, ratio } from './bench.ts';
import { type Peer, startPeer, withPeers } from './peer.ts';

const rows = 200_000;
const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')} rows/s`;

export const audit: Bench = {
  name: 'audit',
  title: `${rows.toLocaleString('en')} audit rows written in batches`,
  rounds: 5,
  run: ({ rounds }) =>
    withPeers([() => startPeer('audit')], async (...peers) => {
      const [peer] = peers as [Peer];
      let blocks: number[] = [];
      const sides = {
        async ours() {
          const { rate, longest } = await peer.ask<{ rate: number; longest: number }>('ours', rows);
          blocks.push(longest);
          return rate;
        },
        bare: () => peer.ask<number>('bare', rows),
      };
      await interleave(sides, 1);
      blocks = [];
      const found = await interleave(sides, rounds);
      const longest = median(blocks);
      return [
        {
          what: 'rows, against prepared statements in transactions of 500',
          ours: perSecond(found.ours),
          other: perSecond(found.bare),
          figure: ratio(found.ours / found.bare),
          target: '>= 0.50x',
        },
        {
          what: 'rows, sustained',
          ours: perSecond(found.ours),
          figure: perSecond(found.ours),
          target: '>= 100,000 rows/s',
        },
        { what: 'longest block of the loop meanwhile', ours: ms(longest), figure: ms(longest), target: '<= 10 ms' },
      ];
    }),
};
