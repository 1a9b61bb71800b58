/** search_tools: the specification's substring rule, ranked, over active tools, stubs and unloaded skills (shape:builtin-outputs). */
import { cautionFor } from '../../schemas/suspect-text.ts';
import type { SearchService, Weighed } from '../search/api.ts';
import type { SkillCandidate, ToolRecord, ToolStub } from './api.ts';
import { wireAnnotations } from './entry.ts';
import { containsWords, createSearchIndex, queryWords, type SearchText } from './search-index.ts';
import { type Query, rank } from './search-rank.ts';
import type { RegisteredTool } from './tool-table.ts';

export interface SearchInput {
  query: string;
  dcc?: string;
  include_disabled?: boolean;
  include_unloaded_skills?: boolean;
  include_stubs?: boolean;
  limit?: number;
}

export interface SearchResult {
  /** Matching tools in all, before the limit. */
  total: number;
  query: string;
  tools: Row[];
  skill_candidates: Row[];
  /** Of rows with flags. */
  caution?: string;
}

export interface SearchDeps {
  tools(): readonly RegisteredTool[];
  stubs(): readonly ToolStub[];
  candidates(): readonly SkillCandidate[];
  dccType: string | null;
  engine: Pick<SearchService, 'substrings' | 'best'>;
}

interface Indexable extends SearchText {
  readonly tool: RegisteredTool;
  readonly record: ToolRecord;
}

export function createToolSearch({ tools, stubs, candidates, dccType, engine }: SearchDeps) {
  const index = createSearchIndex<Indexable>(engine);
  let listed: readonly RegisteredTool[] | undefined;
  let texts: Indexable[] = [];

  /** Index entries live as long as their record: an unchanged tool is not indexed again. */
  const refresh = (): void => {
    const now = tools();
    if (now !== listed) {
      const known = new Map(texts.map(each => [each.record, each]));
      texts = now.map(tool => {
        const { record } = tool;
        return known.get(record) ?? { tool, record, name: record.name, description: record.description };
      });
      listed = now;
    }
    index.sync(texts);
  };

  return ({ query, dcc, limit = 25, ...include }: SearchInput): SearchResult => {
    const { include_disabled, include_unloaded_skills = true, include_stubs } = include;
    refresh();
    const words = queryWords(query);
    const wanted = dcc?.toLowerCase();
    const ofHost = (own: string): boolean => wanted === undefined || (own || dccType || '').toLowerCase() === wanted;

    const hits = index
      .match(words)
      .filter(({ tool, record }) => (include_disabled || tool.group?.active !== false) && ofHost(record.dcc));
    const asked = { phrase: query.trim().toLowerCase(), words };
    const rows: Weighed<Indexable | ToolStub>[] = hits.map(hit => rank(hit, asked));
    for (const stub of include_stubs ? stubs().filter(each => containsWords(each, words)) : []) {
      rows.push(rank(stub, asked));
    }
    const skills = include_unloaded_skills
      ? candidates()
          .filter(each => ofHost(each.dcc))
          .map(each => candidate(each, asked))
          .filter(each => each !== undefined)
      : [];
    const found = engine.best(rows, limit).map(each => ('tool' in each ? toolRow(each) : stubRow(each)));
    const skill_candidates = engine.best(skills, limit);
    return {
      total: rows.length,
      query,
      tools: found,
      skill_candidates,
      ...cautionFor([...found, ...skill_candidates]),
    };
  };
}

type Row = Record<string, unknown>;

function toolRow({ tool, record }: Indexable): Row {
  return {
    kind: 'tool',
    name: record.name,
    description: record.description,
    category: record.category,
    group: record.group,
    enabled: tool.group?.active !== false,
    has_schema: Object.keys((record.input_schema.properties as object | undefined) ?? {}).length > 0,
    dcc: record.dcc,
    ...(record.skill_name !== undefined && { skill_name: record.skill_name }),
    annotations: wireAnnotations(record.annotations),
    metadata: record.metadata,
    ...(record.metadata.flags !== undefined && { flags: record.metadata.flags }),
  };
}

function stubRow({ name, description }: ToolStub): Row {
  const common = { kind: 'tool', name, description, category: 'stub', group: '', enabled: false };
  return { ...common, has_schema: false, dcc: '', annotations: { deferredHint: true }, metadata: {} };
}

function candidate(skill: SkillCandidate, query: Query): Weighed<Row> | undefined {
  const { skill_name, description, tags, dcc, scope, tool_count, flags } = skill;
  const matching = skill.tools.filter(each => containsWords(each, query.words));
  const own = { name: skill_name, description: `${description}\n${tags.join('\n')}` };
  if (matching.length === 0 && !containsWords(own, query.words)) return undefined;
  const score = Math.max(...[own, ...matching].map(each => rank(each, query).score));
  const tool_group = matching.find(each => each.group !== '')?.group ?? null;
  const row = {
    kind: 'skill_candidate',
    skill_name,
    description,
    tags,
    dcc,
    scope,
    tool_count,
    matching_tools: matching.map(each => each.name),
    tool_group,
    ...(flags && { flags }),
    requires_load_skill: true,
    load_hint: { tool: 'load_skill', arguments: { skill_name, ...(tool_group !== null && { tool_group }) } },
  };
  return { item: row, score, order: skill_name };
}
