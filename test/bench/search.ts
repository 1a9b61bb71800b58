/** The gateway's search in the process: speed over many records, the pause of a replacement, and relevance. */
import { setImmediate as turn } from 'node:timers/promises';
import type { CapabilityRecord } from '../../plugins/gateway/index/api.ts';
import { createRecordStore } from '../../plugins/gateway/index/store.ts';
import {
  type Catalogue,
  createRecordSearch,
  kindOf,
  kinds,
  measure,
  queriesOf,
  relevanceQueries,
  relevanceRecords,
  relevanceSearch,
} from '../plugins/search/relevance/figures.ts';
import { type Bench, ms, percentile, type Row } from './bench.ts';

const targets = { 10000: { p50: 2, p99: 10 }, 100000: { p50: 10, p99: 40 } };

/** Records made of the marked tools: every instance has them all, the names of most with a word of their own. */
export function manyRecords(count: number): Map<string, CapabilityRecord[]> {
  const marked = relevanceRecords();
  const instances = new Map<string, CapabilityRecord[]>();
  for (let made = 0; made < count; made += 1) {
    const base = marked[made % marked.length] as CapabilityRecord;
    const round = Math.floor(made / marked.length);
    const instance_id = `${round.toString(16).padStart(8, '0')}-${base.instance_id.slice(0, 4)}-4000-8000-000000000000`;
    const own = instances.get(instance_id) ?? [];
    instances.set(instance_id, own);
    own.push(variant(base, round, instance_id));
  }
  return instances;
}

function variant(base: CapabilityRecord, round: number, instance_id: string): CapabilityRecord {
  const backend_tool = round === 0 ? base.backend_tool : `${base.backend_tool}_${word(round * 7919)}`;
  return {
    ...base,
    backend_tool,
    callable_id: `${base.skill_name}__${backend_tool}`,
    tool_slug: `${base.dcc_type}.${instance_id.slice(0, 8)}.${backend_tool}`,
    instance_id,
  };
}

const syllables = 'ka lo mi ten ar us per on dra vel sho nim qua bet zor'.split(' ');
const word = (seed: number): string =>
  [seed % 15, Math.floor(seed / 15) % 15, Math.floor(seed / 225) % 15].map(at => syllables[at]).join('');

async function speed(count: 10_000 | 100_000): Promise<Row[]> {
  const store = createRecordStore(createRecordSearch().index);
  const instances = manyRecords(count);
  const built = performance.now();
  for (const [id, records] of instances) await store.replace(id, records);
  const building = performance.now() - built;

  const queries = relevanceQueries('queries');
  const times: number[] = [];
  // Other queries warm the code up, so that these come with words that are not remembered.
  for (const { query } of relevanceQueries('holdout')) store.search({ query });
  for (let round = 0; round < 2; round += 1) {
    for (const { query, filter } of queries) {
      const begun = performance.now();
      store.search({ query, ...filter });
      times.push(performance.now() - begun);
    }
    await turn();
  }
  const row = (what: string, value: number, target: string): Row => ({
    ...{ what: `${count.toLocaleString('en')} records, ${what}`, ours: ms(value), figure: ms(value), target },
  });
  const replaced = await replacement(store, instances, count / 100);
  return [
    row('search p50', percentile(times, 50), `<= ${targets[count].p50} ms`),
    row('search p99', percentile(times, 99), `<= ${targets[count].p99} ms`),
    row('longest pause while 1 % is replaced', replaced.pause, '<= 20 ms'),
    row('search p99 meanwhile', percentile(replaced.searches, 99), '-'),
    row('built anew', building, '-'),
  ];
}

/** The longest turn that a replacement takes of the loop, and the times of searches in every fifth turn. */
async function replacement(
  store: ReturnType<typeof createRecordStore>,
  instances: Map<string, CapabilityRecord[]>,
  count: number,
): Promise<{ pause: number; searches: number[] }> {
  let left = count;
  const jobs: [string, CapabilityRecord[]][] = [];
  for (const [id, records] of instances) {
    if (left <= 0) break;
    jobs.push([id, records.map(each => ({ ...each, description: `${each.description} Revised.` }))]);
    left -= records.length;
  }
  const queries = relevanceQueries('queries');
  let done = false;
  let pause = 0;
  const searches: number[] = [];
  const work = (async () => {
    for (const [id, records] of jobs) await store.replace(id, records);
    done = true;
  })();
  let last = performance.now();
  for (let turns = 0; !done; turns += 1) {
    await turn();
    const now = performance.now();
    pause = Math.max(pause, now - last);
    if (turns % 5 === 4) {
      const { query, filter } = queries[(turns * 7) % queries.length] as (typeof queries)[number];
      store.search({ query, ...filter });
      searches.push(performance.now() - now);
    }
    last = performance.now();
  }
  await work;
  return { pause, searches };
}

function relevance(catalogue: Catalogue): Row[] {
  const search = relevanceSearch(catalogue);
  return kinds.flatMap(kind => {
    const queries = queriesOf(catalogue, each => kindOf(each) === kind);
    if (queries.length === 0) return [];
    const { recall, mrr } = measure(search, queries);
    // What is told in a roundabout way is printed and has no floor.
    const target = (least: number): string => (kind === 'indirect' ? '-' : `>= ${least}`);
    const row = (what: string, value: number, wanted: string): Row => ({
      what: `${what}, ${queries.length} queries (${catalogue} catalogue, ${kind})`,
      ...{ ours: value.toFixed(3), figure: value.toFixed(3), target: wanted },
    });
    return [row('recall@5', recall, target(0.95)), row('MRR', mrr, target(0.85))];
  });
}

export const search: Bench = {
  name: 'search',
  title: 'Search over capability records, in the process, with the queries of the relevance set',
  rounds: 1,
  run: async () => [...relevance('first'), ...relevance('blind'), ...(await speed(10_000)), ...(await speed(100_000))],
};
