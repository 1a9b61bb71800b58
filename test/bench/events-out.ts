/**
 * tools/call through the gateway while everything that can be told of calls is told, against none of it. Two processes of
 * the same program differ by a tenth and more, so several of each side are taken, and two with nothing on are compared.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, type BenchOptions, interleave, median, ms, percentile, type Row, rate, ratio } from './bench.ts';
import { echoSlug } from './gateway-call.ts';
import { type LoadOptions, load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { echoArguments } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

const connections = 16;
/** Processes of each side, one after the other. */
const sets = 3;
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
async function linesIn(folder: string): Promise<Record<string, number>> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.jsonl')).sort();
  const counts = names.map(async name => {
    const text = await readFile(join(folder, name), 'utf8');
    return [name, text.split('\n').length - 1] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** What one process of each side gave. */
interface Reading {
  /** Calls a second; `same` is another process with nothing on. */
  readonly rates: Readonly<Record<'off' | 'same' | 'all' | 'mute', number>>;
  /** Milliseconds of a call at the pace. */
  readonly p50: Readonly<Record<'off' | 'all', number>>;
  readonly p99: Readonly<Record<'off' | 'all', number>>;
  readonly lines: Readonly<Record<string, number>>;
}

interface Studio {
  /** Of the registry, with a running instance. */
  readonly folder: string;
  readonly receiver: { readonly url: string; readonly silent: string };
}

async function readOnce(studio: Studio, set: number, { seconds, rounds }: BenchOptions): Promise<Reading> {
  const { folder, receiver } = studio;
  const own = join(folder, `set-${set}`);
  await mkdir(own);
  const on = await allOn(join(own, 'on'), receiver.url);
  const silent = await allOn(join(own, 'silent'), receiver.silent);
  const gateway = (env: Record<string, string>) => () => startPeer('gateway', { registry_dir: folder, env });
  return withPeers([gateway({}), gateway(on), gateway(silent), gateway({})], async (...gateways) => {
    const sides: Side[] = [];
    for (const each of gateways) sides.push(await sideOf(each, seconds));
    const [off, all, mute, same] = sides as [Side, Side, Side, Side];
    const rates = await interleave({ off: off.rate, all: all.rate, mute: mute.rate, same: same.rate }, rounds);
    const p50 = await interleave({ off: off.paced, all: all.paced }, rounds);
    const p99 = { off: median(off.tails), all: median(all.tails) };
    return { rates, p50, p99, lines: await linesIn(join(own, 'on')) };
  });
}

interface Side {
  /** Calls a second, as many as come back. */
  rate(): Promise<number>;
  /** Milliseconds of a call at the pace: the median; `tails` gets the 99th percentile. */
  paced(): Promise<number>;
  readonly tails: number[];
}

async function sideOf(gateway: Peer, seconds: number): Promise<Side> {
  await gateway.ask('instances', 1);
  const url = `${gateway.url}/mcp`;
  const params = { name: 'call', arguments: { tool_slug: await echoSlug(gateway.url), arguments: echoArguments } };
  const bodies: LoadOptions['bodies'] = id => [JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })];
  const headers = await sessionHeaders(url);
  const calls = async (more: { pace?: number }) => {
    const found = await load({ url, bodies, headers, connections, seconds, ...more });
    if (found.failures > 0) throw new Error(`${found.failures} calls of ${url} failed`);
    return found;
  };
  // A cold gateway is five times slower.
  await calls({});
  const tails: number[] = [];
  return {
    tails,
    rate: async () => (await calls({})).requestsPerSecond,
    async paced() {
      const { latencies } = await calls({ pace });
      tails.push(percentile(latencies, 99));
      return median(latencies);
    },
  };
}

/** The median of what each set gives, and the least and the most of it. */
function spread(values: readonly number[], text: (value: number) => string): string {
  return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
}

function rowsOf(readings: readonly Reading[], deliveries: number): Row[] {
  const side = (name: keyof Reading['rates']): string => rate(median(readings.map(each => each.rates[name])));
  const against = (ours: keyof Reading['rates'], other: keyof Reading['rates']) => ({
    ...{ ours: side(ours), other: side(other) },
    figure: spread(
      readings.map(({ rates }) => rates[ours] / rates[other]),
      ratio,
    ),
  });
  const felt = (what: 'p50' | 'p99') => ({
    ours: ms(median(readings.map(each => each[what].all))),
    other: ms(median(readings.map(each => each[what].off))),
    figure: spread(
      readings.map(each => each[what].all - each[what].off),
      ms,
    ),
    target: 'not felt',
  });
  const names = Object.keys(readings[0]?.lines ?? {});
  const lines = names.map(name => `${name} ${readings.reduce((sum, each) => sum + (each.lines[name] ?? 0), 0)}`);
  return [
    { what: `all on, ${connections} connections`, ...against('all', 'off'), target: '>= 0.80x' },
    { what: 'the same with a webhook endpoint that never answers', ...against('mute', 'all'), target: '>= 0.95x' },
    { what: 'nothing on, another process of the same', ...against('same', 'off'), target: 'how far to trust' },
    { what: `p50 of a call at ${pace.toLocaleString('en')} calls/s, all on against all off`, ...felt('p50') },
    { what: 'p99 of the same', ...felt('p99') },
    { what: 'told of it', ours: lines.join(', '), figure: `${deliveries} deliveries`, target: 'none of it 0' },
  ];
}

export const eventsOut: Bench = {
  name: 'events-out',
  title: `tools/call through the gateway with webhooks, traffic (jsonl) and audit all on, against all off, echo; median of ${sets} processes of each`,
  async run(options) {
    const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    const instance = () =>
      startPeer('svc', { entry: builtFile('index.js'), options: { registry_dir: folder, dcc_type: 'maya' } });
    try {
      return await withPeers([() => startPeer('receiver'), instance], async receiver => {
        const studio = { folder, receiver: { url: receiver.url, silent: await receiver.ask<string>('silent') } };
        const readings: Reading[] = [];
        for (let set = 0; set < sets; set += 1) readings.push(await readOnce(studio, set, options));
        return rowsOf(readings, await receiver.ask<number>('taken'));
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
