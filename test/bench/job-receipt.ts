/** How long a caller waits for the receipt of a job, against the answer of an echo. */
import { type Bench, interleave, median, ms, ratio } from './bench.ts';
import { load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { echoCalls } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

/** Calls a second that leave a job the time to end before the next call. */
const pace = 300;

const submissions = (connection: number): string[] => [
  JSON.stringify({
    jsonrpc: '2.0',
    id: connection,
    method: 'tools/call',
    params: { name: 'job_work', arguments: { ms: 0, reports: 0 } },
  }),
];

export const jobReceipt: Bench = {
  name: 'job-receipt',
  title: 'the receipt of a job against the answer of an echo, 1 connection',
  run: ({ seconds, rounds }) =>
    withPeers([() => startPeer('svc', { entry: builtFile('index.js') })], async (...peers) => {
      const [svc] = peers as [Peer];
      const headers = await sessionHeaders(svc.url);
      let refused = 0;
      const onAnswer = (text: string): void => {
        if (!text.includes('job_id')) refused += 1;
      };
      const p50 = (bodies: (connection: number) => string[], pace?: number, check?: typeof onAnswer) => async () => {
        const found = await load({
          url: svc.url,
          bodies,
          headers,
          connections: 1,
          seconds,
          // Both sides are read the same way.
          onAnswer: check ?? (() => undefined),
          ...(pace !== undefined && { pace }),
        });
        if (found.failures > 0) throw new Error(`${found.failures} calls failed`);
        return median(found.latencies);
      };
      const sides = {
        receipt: p50(submissions, pace, onAnswer),
        echo: p50(echoCalls('echo'), pace),
        receiptAfter: p50(submissions, undefined, onAnswer),
        echoAfter: p50(echoCalls('echo')),
      };
      const { receipt, echo, receiptAfter, echoAfter } = await interleave(sides, rounds);
      if (refused > 0) throw new Error(`${refused} answers were no receipts`);
      const row = (what: string, ours: number, other: number, target: string) => ({
        what,
        ours: ms(ours),
        other: ms(other),
        figure: ratio(ours / other),
        target,
      });
      return [
        row(`p50, ${pace} calls a second`, receipt, echo, '<= 1.50x'),
        row('p50, one call after the other', receiptAfter, echoAfter, '<= 1.50x'),
      ];
    }),
};
