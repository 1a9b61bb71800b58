/** The relevance set as records, and how well a search does on its queries. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../../kernel/index.ts';
import type { CapabilityRecord, SearchInput } from '../../../../plugins/gateway/index/api.ts';
import { recordShape } from '../../../../plugins/gateway/index/search-shape.ts';
import { searchRecords } from '../../../../plugins/gateway/index/store.ts';
import { createRankedIndex } from '../../../../plugins/search/engine/ranked-index.ts';
import { lexiconWith } from '../../../../plugins/search/lexicon/files.ts';

interface MarkedTool {
  dcc_type: string;
  skill_name: string;
  name: string;
  description: string;
  tags: string[];
  aliases: string[];
  input_schema: Record<string, unknown>;
  annotations: CapabilityRecord['annotations'];
}

export interface MarkedQuery {
  id: string;
  query: string;
  filter?: { dcc_type?: string };
  relevant: string[];
  style: string;
}

export interface Found extends MarkedQuery {
  /** The first ten, as `<dcc>/<name>`. */
  top: string[];
  recall: number;
  reciprocal: number;
}

export interface Figures {
  recall: number;
  mrr: number;
  found: Found[];
}

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(join(packageRoot, 'test/plugins/search/relevance', name), 'utf8')) as T;

/** The catalogues, with the sets of queries over each: the blind one was written without sight of the first. */
export const catalogues = {
  first: ['queries', 'holdout'],
  blind: ['blind/dev', 'blind/sealed', 'blind/later', 'blind/plain', 'blind/fresh', 'blind/agents'],
} as const;

export type Catalogue = keyof typeof catalogues;

export const relevanceQueries = (name: (typeof catalogues)[Catalogue][number]): MarkedQuery[] => read(`${name}.json`);

/** Who asks: in the words of tools, as agents send it, in another language, or in a roundabout way. */
export const kinds = ['direct', 'agents', 'languages', 'indirect'] as const;
export type Kind = (typeof kinds)[number];

export function kindOf({ style }: MarkedQuery): Kind {
  if (style === 'agent') return 'agents';
  if (style.startsWith('lang_')) return 'languages';
  return style === 'natural' || style === 'sentence' ? 'indirect' : 'direct';
}

/** The queries of a catalogue that `admits` lets pass. */
export const queriesOf = (catalogue: Catalogue, admits: (query: MarkedQuery) => boolean): MarkedQuery[] =>
  catalogues[catalogue].flatMap(name => relevanceQueries(name).filter(admits));

/** The tools of a set as records, one instance per host type. */
export function relevanceRecords(catalogue: Catalogue = 'first'): CapabilityRecord[] {
  const hosts = new Map<string, string>();
  return read<MarkedTool[]>(catalogue === 'first' ? 'tools.json' : 'blind/tools.json').map(tool => {
    const { dcc_type, skill_name, name, description, tags, aliases, input_schema, annotations } = tool;
    const id = hosts.get(dcc_type) ?? `${String(hosts.size + 1).padStart(8, '0')}-0000-4000-8000-000000000000`;
    hosts.set(dcc_type, id);
    return {
      tool_slug: `${dcc_type}.${id.slice(0, 8)}.${name}`,
      backend_tool: name,
      callable_id: `${skill_name}__${name}`,
      skill_name,
      summary: (/^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? description).slice(0, 160),
      description,
      tags,
      aliases,
      dcc_type,
      instance_id: id,
      has_schema: Object.keys((input_schema.properties as object | undefined) ?? {}).length > 0,
      loaded: true,
      group_active: true,
      ...(annotations && { annotations }),
      input_schema,
    };
  });
}

/** Our own lexicon, read once. */
export const words = lexiconWith([]);

/** A search over records as the gateway makes it. */
export function createRecordSearch(lexicon = words) {
  const index = createRankedIndex(recordShape, lexicon);
  return {
    index,
    put: index.put,
    remove: index.remove,
    search: (input: SearchInput, instance_id?: string) => searchRecords(index, input, instance_id),
  };
}

export type RecordSearch = ReturnType<typeof createRecordSearch>;

/** A search that holds a set. */
export function relevanceSearch(catalogue: Catalogue = 'first', lexicon = words): RecordSearch {
  const search = createRecordSearch(lexicon);
  for (const record of relevanceRecords(catalogue)) search.put(record);
  return search;
}

/** Recall among the first five and the mean reciprocal rank of the first right answer among the first hundred. */
export function measure({ search }: Pick<RecordSearch, 'search'>, queries: readonly MarkedQuery[]): Figures {
  const found = queries.map((each): Found => {
    const answer = search({ query: each.query, ...each.filter, limit: 100 });
    const names = answer.hits.map(hit => `${hit.dcc_type}/${hit.backend_tool}`);
    const right = new Set(each.relevant);
    const first = names.findIndex(name => right.has(name));
    const hit = names.slice(0, 5).filter(name => right.has(name)).length;
    const recall = hit / Math.min(5, right.size);
    return { ...each, top: names.slice(0, 10), recall, reciprocal: first < 0 ? 0 : 1 / (first + 1) };
  });
  const mean = (of: (each: Found) => number): number => found.reduce((sum, each) => sum + of(each), 0) / found.length;
  return { recall: mean(each => each.recall), mrr: mean(each => each.reciprocal), found };
}
