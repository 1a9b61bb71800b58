/** tools/call through the gateway while everything that can be told of calls is told, against none of it. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, interleave, median, ms, percentile, type Row, rate, ratio } from './bench.ts';
import { echoSlug } from './gateway-call.ts';
import { type LoadOptions, load } from './load.ts';
import { builtFile, startPeer, withPeers } from './peer.ts';
import { echoArguments } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

const connections = 16;
/** Calls a second of a studio that works hard: what is told of them must not be felt. */
const pace = 2000;

/** Webhooks, traffic and audit of a gateway, each in its files below `folder`. */
async function allOn(folder: string, url: string): Promise<Record<string, string>> {
  await mkdir(folder);
  const webhooks = join(folder, 'webhooks.yaml');
  await writeFile(webhooks, JSON.stringify({ webhooks: [{ name: 'bench', url, events: ['tool.*'] }] }));
  return {
    SVC_WEBHOOKS_CONFIG: webhooks,
    SVC_TRAFFIC_CAPTURE: `jsonl:${join(folder, 'traffic.jsonl')}`,
    SVC_GATEWAY_AUDIT_DIR: folder,
  };
}

/** Lines of the files of a gateway, by their names: what was told is there. */
async function written(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.jsonl')).sort();
  const counts = names.map(async name => {
    const text = await readFile(join(folder, name), 'utf8');
    return `${name} ${text.split('\n').length - 1}`;
  });
  return (await Promise.all(counts)).join(', ');
}

export const eventsOut: Bench = {
  name: 'events-out',
  title: 'tools/call through the gateway with webhooks, traffic (jsonl) and audit all on, against all off, echo',
  async run({ seconds, rounds }) {
    const registry_dir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    const instance = () =>
      startPeer('svc', { entry: builtFile('index.js'), options: { registry_dir, dcc_type: 'maya' } });
    const gateway = (env: Record<string, string>) => startPeer('gateway', { registry_dir, env });
    try {
      return await withPeers([() => startPeer('receiver'), instance], async receiver => {
        const folders = { on: join(registry_dir, 'on'), silent: join(registry_dir, 'silent') };
        const on = await allOn(folders.on, receiver.url);
        const silent = await allOn(folders.silent, await receiver.ask<string>('silent'));
        return withPeers([() => gateway({}), () => gateway(on), () => gateway(silent)], async (...gateways) => {
          const sides: (() => Promise<number>)[] = [];
          const calm: { paced(): Promise<number>; tails: number[] }[] = [];
          for (const each of gateways) {
            await each.ask('instances', 1);
            const url = `${each.url}/mcp`;
            const args = { tool_slug: await echoSlug(each.url), arguments: echoArguments };
            const params = { name: 'call', arguments: args };
            const bodies: LoadOptions['bodies'] = id => [
              JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
            ];
            const headers = await sessionHeaders(url);
            const sample = async (): Promise<number> => {
              const found = await load({ url, bodies, headers, connections, seconds });
              if (found.failures > 0) throw new Error(`${found.failures} calls of ${url} failed`);
              return found.requestsPerSecond;
            };
            const paced = async (): Promise<number> => {
              const { latencies, failures } = await load({ url, bodies, headers, connections, seconds, pace });
              if (failures > 0) throw new Error(`${failures} calls of ${url} failed`);
              tails.push(percentile(latencies, 99));
              return median(latencies);
            };
            // A cold gateway is five times slower.
            await sample();
            sides.push(sample);
            const tails: number[] = [];
            calm.push({ paced, tails });
          }
          const [off, all, mute] = sides as [(typeof sides)[0], (typeof sides)[0], (typeof sides)[0]];
          const found = await interleave({ off, all, mute }, rounds);
          const [calmOff, calmAll] = calm as [(typeof calm)[0], (typeof calm)[0]];
          const felt = await interleave({ off: calmOff.paced, all: calmAll.paced }, rounds);
          const rows: Row[] = [
            {
              what: `all on, ${connections} connections`,
              ...{ ours: rate(found.all), other: rate(found.off), figure: ratio(found.all / found.off) },
              target: '>= 0.80x',
            },
            {
              what: 'the same with a webhook endpoint that never answers',
              ...{ ours: rate(found.mute), other: rate(found.all), figure: ratio(found.mute / found.all) },
              target: '>= 0.95x',
            },
            {
              what: `p50 of a call at ${pace.toLocaleString('en')} calls/s, all on against all off`,
              ...{ ours: ms(felt.all), other: ms(felt.off), figure: ms(felt.all - felt.off) },
              target: 'not felt',
            },
            {
              what: 'p99 of the same',
              ...{ ours: ms(median(calmAll.tails)), other: ms(median(calmOff.tails)) },
              figure: ms(median(calmAll.tails) - median(calmOff.tails)),
              target: 'not felt',
            },
            {
              what: 'told of it',
              ours: await written(folders.on),
              figure: `${await receiver.ask<number>('taken')} deliveries`,
              target: 'none of it 0',
            },
          ];
          return rows;
        });
      });
    } finally {
      await rm(registry_dir, { recursive: true, force: true });
    }
  },
};
