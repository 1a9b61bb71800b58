/** A new snapshot of a large scene: what its caller waits, when its delta is there, and how long the loop stands meanwhile. */
import { connect } from '../spec/wire.ts';
import { type Bench, median, ms, percentile } from './bench.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';

const nodes = 5000;
const changed = 50;
const turns = 60;
/** The first turns are the ones that compile. */
const warmUp = 10;

/** Milliseconds of one new snapshot. */
interface Taken {
  taken: number;
  total: number;
  block: number;
}

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
      const found: Taken[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        found.push(await svc.ask<Taken>('scene', sceneOf(turn)));
        const { contents } = await client.result('resources/read', { uri: 'scene://delta' });
        const { changes = [], truncated } = JSON.parse((contents as { text: string }[])[0]?.text ?? '{}');
        if (turn > 0 && changes.length === 0) throw new Error('the delta is empty');
        if (turn > 0 && changes.length < 100 && !truncated) throw new Error(`only ${changes.length} changes`);
      }
      const timed = (what: string, part: keyof Taken, target: string) => {
        const values = found.slice(warmUp).map(each => each[part]);
        const [middle, high] = [ms(median(values)), ms(percentile(values, 99))];
        return { what, ours: middle, other: `p99 ${high}`, figure: high, target };
      };
      return [
        timed('setScene, until its caller goes on', 'taken', 'without the delta'),
        timed('from setScene to the delta', 'total', '<= 30 ms'),
        timed('longest block of the loop meanwhile', 'block', 'off the request path'),
      ];
    }),
};
