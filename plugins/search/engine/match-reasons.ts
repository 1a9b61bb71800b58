/** Why an item was found: which fields have words of the query, as they stand or nearly. Pure. */
import type { FieldRule, MatchReason } from '../api.ts';
import type { Word } from './dictionary.ts';
import type { Hints } from './hints.ts';
import type { Indexed, InvertedIndex } from './inverted-index.ts';
import type { Query } from './query.ts';
import type { ScoredTerm } from './scorer.ts';
import { spell } from './tokens.ts';

const none: readonly [number, boolean][] = [];
const labels = ['tool', 'alias', 'tag', 'skill', 'summary', 'schema'] as const;

/** Why an item was found, for the items of one query. */
export function createReasons<T>(
  { shape, bitOf }: InvertedIndex<T>,
  { hosts, needles }: Query,
  terms: readonly ScoredTerm[],
  hints: Hints<T>,
): (entry: Indexed<T>) => MatchReason[] {
  const bitsOf = (reason: FieldRule['reason']): number =>
    Object.entries<FieldRule>(shape.fields).reduce(
      (bits, [field, rule]) => (rule.reason === reason ? bits | bitOf(field) : bits),
      0,
    );
  const groups = labels.map(label => [label, bitsOf(label)] as const);
  const dcc = bitsOf('dcc');

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
  /** Bits of the fields that have the text as it stands. */
  const fieldsWith = (item: T, text: string): number =>
    shape
      .textsOf(item)
      .filter(({ texts }) => texts.some(each => spell(each).includes(text)))
      .reduce((bits, { field }) => bits | bitOf(field), 0);

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
    for (const { text } of needles) if (entry.text.includes(text)) lexical |= fieldsWith(entry.item, text);
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
