/** Ranked keyword search over the catalogue (specification: search_skills), kept in step with it on demand. */
import type { SearchService, SearchShape } from '../../search/api.ts';
import type { CatalogSkill } from './catalog.ts';
import { type SkillScope, scopeOrder } from './search-paths.ts';

export interface SearchSkillsInput {
  query?: string;
  tags?: readonly string[];
  dcc?: string;
  scope?: SkillScope;
  limit?: number;
}

export const defaultSearchLimit = 20;
export const maxSearchLimit = 100;
const maxQuery = 400;

const shape: SearchShape<CatalogSkill, 'name' | 'aliases' | 'hint' | 'tags' | 'tools' | 'description'> = {
  fields: {
    name: { weight: 6, usual: 2, slope: 0.5, joined: true },
    aliases: { weight: 4, usual: 4, slope: 0.3, joined: true },
    hint: { weight: 3, usual: 10, slope: 0.6 },
    tags: { weight: 3, usual: 4, slope: 0.3, joined: true },
    tools: { weight: 2, usual: 12, slope: 0.5, joined: true },
    description: { weight: 1, usual: 30, slope: 0.6 },
  },
  textsOf: ({ package: { name, manifest } }) => [
    { field: 'name', texts: [name] },
    { field: 'aliases', texts: manifest.search_aliases },
    { field: 'hint', texts: [manifest.search_hint] },
    { field: 'tags', texts: manifest.tags },
    { field: 'tools', texts: manifest.tools.map(each => each.name) },
    { field: 'description', texts: [manifest.description] },
  ],
  keyOf: each => each.package.name,
  nameOf: each => each.package.name,
  orderOf: each => each.package.name,
  hostOf: each => each.package.manifest.dcc,
  tagsOf: each => each.package.manifest.tags,
  factorOf: each => each.root.rank,
};

export type SkillSearch = ReturnType<typeof createSkillSearch>;

export function createSkillSearch({ ranked, filter }: Pick<SearchService, 'ranked' | 'filter'>) {
  const index = ranked(shape);
  const indexed = new Map<string, CatalogSkill>();

  const bringUpToDate = (skills: readonly CatalogSkill[]): void => {
    const wanted = new Map(skills.map(each => [each.package.name, each]));
    for (const [name, known] of indexed) {
      if (wanted.get(name) === known) continue;
      index.remove(known);
      indexed.delete(name);
    }
    for (const [name, skill] of wanted) {
      if (indexed.has(name)) continue;
      index.put(skill);
      indexed.set(name, skill);
    }
  };

  return {
    /** Best matches first; without a query the first `limit` by scope precedence, then name. */
    search(
      skills: readonly CatalogSkill[],
      { query = '', tags = [], dcc = '', scope, ...input }: SearchSkillsInput = {},
    ) {
      const limit = Math.min(Math.max(input.limit || defaultSearchLimit, 1), maxSearchLimit);
      const asked = query.trim().slice(0, maxQuery);
      const wanted = { tags, dcc_type: dcc };
      const ofScope = ({ root }: CatalogSkill): boolean => scope === undefined || root.scope === scope;
      if (asked === '') {
        const passes = filter(shape, wanted);
        const found = skills.filter(each => passes(each) && ofScope(each));
        return found.sort(byPrecedence).slice(0, limit);
      }
      bringUpToDate(skills);
      return index.search({ query: asked, limit, ...wanted }, ofScope).hits.map(each => each.item);
    },
  };
}

/** Admin, System, User, Repo; then the name. */
export function byPrecedence(a: CatalogSkill, b: CatalogSkill): number {
  const scopes = scopeOrder.indexOf(a.root.scope) - scopeOrder.indexOf(b.root.scope);
  return scopes || (a.package.name < b.package.name ? -1 : 1);
}
