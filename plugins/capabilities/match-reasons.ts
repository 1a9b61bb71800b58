/** Why a record was found: which fields have words of the query, as they stand or nearly. Pure. */
import type { MatchReason } from './api.ts';
import type { Hints } from './hints.ts';
import type { IndexedRecord } from './inverted-index.ts';
import type { Query } from './query.ts';
import { fieldBits } from './record-fields.ts';
import type { ScoredTerm } from './scorer.ts';

const { name, alias, tag, skill, summary, description, property, propertyText, dcc } = fieldBits;
const groups: readonly (readonly ['tool' | 'alias' | 'tag' | 'skill' | 'summary' | 'schema', number])[] = [
  ['tool', name],
  ['alias', alias],
  ['tag', tag],
  ['skill', skill],
  ['summary', summary | description],
  ['schema', property | propertyText],
];

export function reasonsOf(
  entry: IndexedRecord,
  { hosts }: Query,
  terms: readonly ScoredTerm[],
  hints: Hints,
): MatchReason[] {
  let lexical = 0;
  let fuzzy = 0;
  let words = 0;
  for (const { expansions } of terms) {
    let hit = false;
    for (const expansion of expansions) {
      const { postings } = expansion.word;
      const at = postings.at(entry.id);
      if (at < 0) continue;
      const bits = postings.fields[at] as number;
      if (expansion.lexical) lexical |= bits;
      else fuzzy |= bits;
      hit ||= expansion.lexical;
    }
    if (hit) words += 1;
  }
  const reasons: MatchReason[] = [];
  for (const [field, bits] of groups) if (lexical & bits) reasons.push(`${field}_lexical`);
  if (words > 1) reasons.push('multi_token_lexical');
  for (const [field, bits] of groups) if (fuzzy & bits & ~lexical) reasons.push(`${field}_fuzzy`);
  if ((lexical & dcc) !== 0 || hosts.has(entry.host)) reasons.push('dcc_match');
  if (hints.ofScene(entry)) reasons.push('scene_hint');
  if (hints.ofSkill(entry)) reasons.push('skill_hint');
  return reasons;
}
