/** What a session costs whose client opened it, called nothing more and never ended it, as most clients do. */
import { Agent, request } from 'node:http';
import { initializeRequest } from '../spec/wire.ts';
import type { Bench, Row } from './bench.ts';
import { builtFile, startPeer, withPeers } from './peer.ts';

const sessions = 100_000;
/** What the first ones cost is compiled code and the first growth of the heap, which no further one costs. */
const warmUp = 5000;
const connections = 32;

const body = JSON.stringify(
  initializeRequest({ protocolVersion: '2025-11-25', capabilities: { roots: { listChanged: true }, sampling: {} } }),
);

/** Opens `count` sessions over real connections. */
async function open(url: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': body.length,
  };
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const outgoing = request(url, { method: 'POST', agent, headers }, incoming => {
        if (incoming.headers['mcp-session-id'] === undefined) reject(new Error(`status ${incoming.statusCode}`));
        incoming.on('end', resolve).resume();
      });
      outgoing.on('error', reject).end(body);
    });
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await one();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
}

export const sessionsMemory: Bench = {
  name: 'sessions-memory',
  title: `${sessions} sessions without an open stream`,
  async run() {
    const options = { sessions_max_bytes: 2 ** 30, session_ttl_secs: 0 };
    return withPeers([() => startPeer('svc', { entry: builtFile('index.js'), options })], async (...[svc]) => {
      if (!svc) throw new Error('no server');
      await open(svc.url, warmUp);
      const before = { rss: await svc.ask<number>('rss'), heap: await svc.ask<number>('heap') };
      await open(svc.url, sessions);
      const after = { rss: await svc.ask<number>('rss'), heap: await svc.ask<number>('heap') };
      const row = (what: 'rss' | 'heap'): Row => {
        const figure = `${Math.round((after[what] - before[what]) / sessions)} B`;
        return { what: `${what} per session`, ours: figure, figure, target: '<= 2048 B' };
      };
      return [row('heap'), row('rss')];
    });
  },
};
