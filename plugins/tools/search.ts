/** search_tools: the specification's substring rule, ranked, over active tools, stubs and unloaded skills (CONTRACT 6.4). */
import type { SkillCandidate, ToolRecord, ToolStub } from './api.ts';
import { wireAnnotations } from './entry.ts';
import type { RegisteredTool } from './registry.ts';
import { containsWords, createSearchIndex, queryWords, type SearchText } from './search-index.ts';

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
  tools: Record<string, unknown>[];
  skill_candidates: Record<string, unknown>[];
}

export interface SearchDeps {
  tools(): readonly RegisteredTool[];
  stubs(): readonly ToolStub[];
  candidates(): readonly SkillCandidate[];
  dccType: string | null;
}

interface Indexable extends SearchText {
  readonly tool: RegisteredTool;
  readonly record: ToolRecord;
}

export function createToolSearch({
  tools,
  stubs,
  candidates,
  dccType,
}: SearchDeps): (input: SearchInput) => SearchResult {
  const index = createSearchIndex<Indexable>();
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

  return ({ query, dcc, include_disabled, include_unloaded_skills = true, include_stubs, limit = 25 }) => {
    refresh();
    const words = queryWords(query);
    const wanted = dcc?.toLowerCase();
    const ofHost = (own: string): boolean => wanted === undefined || (own || dccType || '').toLowerCase() === wanted;

    const hits = index
      .match(words)
      .filter(({ tool, record }) => (include_disabled || tool.group?.active !== false) && ofHost(record.dcc));
    const rows: Ranked[] = hits.map(hit => ({ ...rank(hit, query, words), row: () => toolRow(hit) }));
    for (const stub of include_stubs ? stubs().filter(each => containsWords(each, words)) : []) {
      rows.push({ ...rank(stub, query, words), row: () => stubRow(stub) });
    }
    const skills = include_unloaded_skills
      ? candidates()
          .filter(each => ofHost(each.dcc))
          .map(each => candidate(each, query, words))
          .filter(each => each !== undefined)
      : [];
    return { total: rows.length, query, tools: best(rows, limit), skill_candidates: best(skills, limit) };
  };
}

interface Ranked {
  name: string;
  /** 0 the exact name, 1 a name that starts with the query, 2 one that contains it, 3 anything else. */
  tier: number;
  score: number;
  row(): Record<string, unknown>;
}

function best(rows: Ranked[], limit: number): Record<string, unknown>[] {
  return rows
    .sort((a, b) => a.tier - b.tier || b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(each => each.row());
}

/** Words weigh more in the name than in the description, and more as a whole word or its start than inside one. */
function rank(item: SearchText, query: string, words: readonly string[]): Omit<Ranked, 'row'> {
  const phrase = query.trim().toLowerCase();
  const name = item.name.toLowerCase();
  const description = item.description.toLowerCase();
  const action = name.split('__').at(-1);
  const tier =
    name === phrase
      ? 0
      : phrase === ''
        ? 3
        : name.startsWith(phrase) || action === phrase
          ? 1
          : name.includes(phrase)
            ? 2
            : 3;
  let score = 0;
  for (const word of words) score += weight(name, word) * 4 + weight(description, word);
  // Between equals the shorter name is the closer one.
  return { name: item.name, tier, score: score - name.length / 1000 };
}

function weight(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  const starts = at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
  const after = text[at + word.length];
  const ends = after === undefined || !/[\p{L}\p{N}]/u.test(after);
  return 1 + (starts ? 1 : 0) + (starts && ends ? 1 : 0);
}

function toolRow({ tool, record }: Indexable): Record<string, unknown> {
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
  };
}

function stubRow({ name, description }: ToolStub): Record<string, unknown> {
  const common = { kind: 'tool', name, description, category: 'stub', group: '', enabled: false };
  return { ...common, has_schema: false, dcc: '', annotations: { deferredHint: true }, metadata: {} };
}

function candidate(skill: SkillCandidate, query: string, words: readonly string[]): Ranked | undefined {
  const { skill_name, description, tags, dcc, scope, tool_count } = skill;
  const matching = skill.tools.filter(each => containsWords(each, words));
  const own = { name: skill_name, description: `${description}\n${tags.join('\n')}` };
  if (matching.length === 0 && !containsWords(own, words)) return undefined;
  const ranks = [own, ...matching].map(each => rank(each, query, words));
  const top = ranks.reduce((a, b) => (b.tier < a.tier || (b.tier === a.tier && b.score > a.score) ? b : a));
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
    requires_load_skill: true,
    load_hint: { tool: 'load_skill', arguments: { skill_name, ...(tool_group !== null && { tool_group }) } },
  };
  return { name: skill_name, tier: top.tier, score: top.score, row: () => row };
}
