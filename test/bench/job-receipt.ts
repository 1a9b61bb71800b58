/** How long a caller waits for the receipt of a job, against the answer of an echo. */
import { type Bench, interleave, median, ms, ratio } from './bench.ts';
import { load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { echoCalls } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

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
      const p50 = (bodies: (connection: number) => string[], check?: typeof onAnswer) => async () => {
        const found = await load({
          url: svc.url,
          bodies,
          headers,
          connections: 1,
          seconds,
          // Both sides are read the same way.
          onAnswer: check ?? (() => undefined),
        });
        if (found.failures > 0) throw new Error(`${found.failures} calls failed`);
        return median(found.latencies);
      };
      const found = await interleave({ receipt: p50(submissions, onAnswer), echo: p50(echoCalls('echo')) }, rounds);
      if (refused > 0) throw new Error(`${refused} answers were no receipts`);
      return [
        {
          what: 'p50',
          ours: ms(found.receipt),
          other: ms(found.echo),
          figure: ratio(found.receipt / found.echo),
          target: '<= 1.50x',
        },
      ];
    }),
};
