/** Why a record was found: which fields have words of the query, as they stand or nearly. Pure. */
import type { CapabilityRecord, MatchReason } from '../api.ts';
import type { Word } from './dictionary.ts';
import type { Hints } from './hints.ts';
import type { IndexedRecord } from './inverted-index.ts';
import type { Query } from './query.ts';
import { fieldBits, fieldsOf } from './record-fields.ts';
import type { ScoredTerm } from './scorer.ts';
import { spell } from './tokens.ts';

const none: readonly [number, boolean][] = [];
const { name, alias, tag, skill, summary, description, property, propertyText, dcc } = fieldBits;
const groups: readonly (readonly ['tool' | 'alias' | 'tag' | 'skill' | 'summary' | 'schema', number])[] = [
  ['tool', name],
  ['alias', alias],
  ['tag', tag],
  ['skill', skill],
  ['summary', summary | description],
  ['schema', property | propertyText],
];

/** Why a record was found, for the records of one query. */
export function createReasons(
  { hosts, needles }: Query,
  terms: readonly ScoredTerm[],
  hints: Hints,
): (entry: IndexedRecord) => MatchReason[] {
  /** Terms by word of the index. */
  let byWord: Map<Word, [term: number, lexical: boolean][]> | undefined;
  const termsOf = (word: Word): readonly [number, boolean][] => {
    if (!byWord) {
      byWord = new Map();
      for (const [term, { expansions }] of terms.entries()) {
        for (const each of expansions) {
          const known = byWord.get(each.word) ?? [];
          known.push([term, each.lexical]);
          byWord.set(each.word, known);
        }
      }
    }
    return byWord.get(word) ?? none;
  };

  return entry => {
    let lexical = 0;
    let fuzzy = 0;
    const hit = new Set<number>();
    for (const word of entry.words) {
      const found = termsOf(word);
      if (found.length === 0) continue;
      const bits = word.postings.fields[word.postings.at(entry.id)] ?? 0;
      for (const [term, own] of found) {
        if (own) lexical |= bits;
        else fuzzy |= bits;
        if (own) hit.add(term);
      }
    }
    for (const { text } of needles) if (entry.text.includes(text)) lexical |= fieldsWith(entry.record, text);
    const reasons: MatchReason[] = [];
    for (const [field, bits] of groups) if (lexical & bits) reasons.push(`${field}_lexical`);
    if (hit.size > 1) reasons.push('multi_token_lexical');
    for (const [field, bits] of groups) if (fuzzy & bits & ~lexical) reasons.push(`${field}_fuzzy`);
    if ((lexical & dcc) !== 0 || hosts.has(entry.host)) reasons.push('dcc_match');
    if (hints.ofScene(entry)) reasons.push('scene_hint');
    if (hints.ofSkill(entry)) reasons.push('skill_hint');
    return reasons;
  };
}

/** Bits of the fields that have the text as it stands. */
function fieldsWith(record: CapabilityRecord, text: string): number {
  const found = fieldsOf(record).filter(({ texts }) => texts.some(each => spell(each).includes(text)));
  return found.reduce((bits, { field }) => bits | fieldBits[field], 0);
}
