/** The hits of a search that a client is shown: those that the policy allows, one each or one for all that are alike. */
import type { Doubt } from '../search/api.ts';
import type { SearchHit, SearchInput } from './index/api.ts';
import { type StepAction, stepAction } from './next-step.ts';
import type { Parts } from './parts.ts';

export const mostHits = 100;
/** Pages looked through. */
const mostPages = 50;

export interface Row {
  hit: SearchHit;
  /** The same tool in the same state, of every instance that has it, `hit` first; absent where each hit is a row. */
  alike?: SearchHit[];
}

export interface FoundRows {
  rows: Row[];
  doubt?: Doubt | undefined;
}

export function createSearchPages({ capabilities, policy }: Pick<Parts, 'capabilities' | 'policy'>) {
  /** Feeds hits to `take` until it has enough of them; gives the doubt. */
  const look = (input: SearchInput, take: (hits: readonly SearchHit[]) => boolean): Doubt | undefined => {
    let doubt: Doubt | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const { hits, ...rest } = capabilities.search({ ...input, limit: mostHits, offset: page * mostHits });
      doubt ??= rest.doubt;
      if (take(hits.filter(policy.allows)) || hits.length < mostHits) break;
    }
    return doubt;
  };

  return {
    /** A row for each hit, `limit` of them from `offset`. */
    each(input: SearchInput, limit: number, offset: number): FoundRows {
      if (!policy.restricts) {
        const { hits, doubt } = capabilities.search({ ...input, limit, offset });
        return { rows: hits.map(hit => ({ hit })), doubt };
      }
      const found: SearchHit[] = [];
      const doubt = look(input, hits => found.push(...hits) >= offset + limit);
      const shown = found.slice(offset, offset + limit);
      return { rows: shown.map((hit, index) => ({ hit: { ...hit, rank: offset + index + 1 } })), doubt };
    },

    /** The same where the same tool of several instances of a host type, in the same state, is one row. */
    alike(input: SearchInput, limit: number, offset: number): FoundRows {
      const rows = new Map<string, { hit: SearchHit; alike: SearchHit[] }>();
      const doubt = look(input, hits => {
        for (const hit of hits) {
          const key = likenessOf(hit, stepAction(hit));
          const row = rows.get(key);
          if (row) row.alike.push(hit);
          else if (rows.size < offset + limit) rows.set(key, { hit, alike: [hit] });
        }
        // Tools that are alike stand together: what the next page has of the last row is no news to who chooses by five.
        return rows.size >= offset + limit;
      });
      return { rows: [...rows.values()].slice(offset), doubt };
    },
  };
}

const likenessOf = ({ dcc_type, skill_name, backend_tool, summary }: SearchHit, action: StepAction): string =>
  JSON.stringify([dcc_type, skill_name, backend_tool, summary, action]);
