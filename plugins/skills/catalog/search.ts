/** Ranked keyword search over the catalogue (specification: search_skills), kept in step with it on demand. */
import MiniSearch from 'minisearch';
import type { CatalogSkill } from './catalog.ts';
import { type SkillScope, scopeOrder } from './search-paths.ts';

export interface SearchSkillsInput {
  query?: string;
  tags?: readonly string[];
  dcc?: string;
  scope?: SkillScope;
  limit?: number;
}

interface SearchDocument {
  id: string;
  name: string;
  aliases: string;
  hint: string;
  tags: string;
  tools: string;
  description: string;
}

export const defaultSearchLimit = 20;
export const maxSearchLimit = 100;
const maxQuery = 400;
const boost = { name: 6, aliases: 4, hint: 3, tags: 3, tools: 2, description: 1 };

export type SkillSearch = ReturnType<typeof createSkillSearch>;

export function createSkillSearch() {
  const index = new MiniSearch<SearchDocument>({
    fields: Object.keys(boost),
    searchOptions: { boost, prefix: term => term.length > 1, fuzzy: term => (term.length > 4 ? 0.2 : false) },
  });
  const indexed = new Map<string, CatalogSkill['package']>();

  const bringUpToDate = (skills: ReadonlyMap<string, CatalogSkill>): void => {
    for (const [name, known] of indexed) {
      if (skills.get(name)?.package === known) continue;
      index.discard(name);
      indexed.delete(name);
    }
    for (const [name, { package: found }] of skills) {
      if (indexed.has(name)) continue;
      index.add(documentOf(found));
      indexed.set(name, found);
    }
  };

  return {
    /** Best matches first; without a query the first `limit` by scope precedence, then name. */
    search(skills: readonly CatalogSkill[], input: SearchSkillsInput = {}): CatalogSkill[] {
      const byName = new Map(skills.map(each => [each.package.name, each]));
      const limit = Math.min(Math.max(input.limit || defaultSearchLimit, 1), maxSearchLimit);
      const query = (input.query ?? '').trim().slice(0, maxQuery);
      if (query === '') return skills.filter(matcher(input)).sort(byPrecedence).slice(0, limit);
      bringUpToDate(byName);
      const rank = (id: string): number => byName.get(id)?.root.rank ?? 1;
      const exact = byName.get(query.toLowerCase()) ?? byName.get(query);
      const hits = index
        .search(query, { boostDocument: id => rank(String(id)) })
        .flatMap(({ id }) => byName.get(String(id)) ?? []);
      return [...new Set([...(exact ? [exact] : []), ...hits])].filter(matcher(input)).slice(0, limit);
    },
  };
}

function documentOf({ name, manifest }: CatalogSkill['package']): SearchDocument {
  return {
    id: name,
    name,
    aliases: manifest.search_aliases.join(' '),
    hint: manifest.search_hint,
    tags: manifest.tags.join(' '),
    tools: manifest.tools.map(each => each.name).join(' '),
    description: manifest.description,
  };
}

/** Tags must all be there, in any case of letters. */
function matcher({ tags = [], dcc, scope }: SearchSkillsInput): (skill: CatalogSkill) => boolean {
  const wanted = tags.map(each => each.toLowerCase());
  return ({ package: { manifest }, root }) => {
    const own = new Set(manifest.tags.map(each => each.toLowerCase()));
    return (
      wanted.every(each => own.has(each)) &&
      (dcc === undefined || dcc === '' || manifest.dcc.toLowerCase() === dcc.toLowerCase()) &&
      (scope === undefined || root.scope === scope)
    );
  };
}

/** Admin, System, User, Repo; then the name. */
export function byPrecedence(a: CatalogSkill, b: CatalogSkill): number {
  const scopes = scopeOrder.indexOf(a.root.scope) - scopeOrder.indexOf(b.root.scope);
  return scopes || (a.package.name < b.package.name ? -1 : 1);
}
