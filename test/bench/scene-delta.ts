/** A new snapshot of a large scene: the time until its delta is there, and what a reader then waits for it. */
import { connect } from '../spec/wire.ts';
import { type Bench, median, ms, percentile } from './bench.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';

const nodes = 5000;
const changed = 50;
const turns = 30;

/** A scene in which each turn moves other nodes. */
const sceneOf = (turn: number) => ({
  name: 'bench',
  nodes: Array.from({ length: nodes }, (_, index) => ({
    id: `node-${index}`,
    name: `Object ${index}`,
    type: index % 7 === 0 ? 'light' : 'mesh',
    transform: [index, index % changed === turn % changed ? turn : 0, 0, 1],
    visible: true,
  })),
});

export const sceneDelta: Bench = {
  name: 'scene-delta',
  title: `setScene of ${nodes} nodes, ${nodes / changed} to ${(2 * nodes) / changed} of them changed`,
  run: () =>
    withPeers([() => startPeer('svc', { entry: builtFile('index.js') })], async (...peers) => {
      const [svc] = peers as [Peer];
      const client = await connect(svc.url);
      const sets: number[] = [];
      const reads: number[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        sets.push(await svc.ask<number>('scene', sceneOf(turn)));
        const began = performance.now();
        const { contents } = await client.result('resources/read', { uri: 'scene://delta' });
        reads.push(performance.now() - began);
        const { changes = [], truncated } = JSON.parse((contents as { text: string }[])[0]?.text ?? '{}');
        if (turn > 0 && changes.length === 0) throw new Error('the delta is empty');
        if (turn > 0 && changes.length < 100 && !truncated) throw new Error(`only ${changes.length} changes`);
      }
      const timed = (what: string, values: number[], target: string) => ({
        what,
        ours: ms(median(values)),
        other: `p99 ${ms(percentile(values, 99))}`,
        figure: ms(percentile(values, 99)),
        target,
      });
      return [
        timed('setScene, from the value to the delta', sets.slice(5), '<= 30 ms'),
        timed('resources/read of the delta', reads.slice(5), 'off the request path'),
      ];
    }),
};
