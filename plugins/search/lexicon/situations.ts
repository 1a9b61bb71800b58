/** Situations told in plain words: which words, anywhere in a query, stand together for what the field calls it. Pure. */

import { stem } from '../engine/stems.ts';
import { mediaSituationRows } from './situation-rows-media.ts';
import { moreSituationRows } from './situation-rows-more.ts';
import { pageSituationRows } from './situation-rows-page.ts';
import { relationSituationRows } from './situation-rows-relation.ts';
import { sceneSituationRows } from './situation-rows-scene.ts';

interface Row {
  /** Each list is one thing that it asks for, said in several ways. */
  readonly asks: readonly (readonly string[])[];
  /** Stems by slot. */
  readonly slots: readonly ReadonlySet<string>[];
}

const rows: Row[] = [];
/** By stem: the rows that have it, with the slot, as one number. */
const byStem = new Map<string, number[]>();
const mostSlots = 8;

const listsOf = (text: string): string[][] =>
  text
    .split('&')
    .map(part => part.trim().split(/\s+/).filter(Boolean))
    .filter(words => words.length > 0);

/** Lines `@name word word` name words that slots share; the others are `slot & slot ; asked & asked`. */
function learn(text: string, shared: Map<string, string[]>): void {
  for (const line of text.trim().split('\n')) {
    const [first = '', ...rest] = line.trim().split(/\s+/);
    if (first.startsWith('@') && !line.includes(';')) {
      shared.set(first, rest.map(stem));
      continue;
    }
    const [left = '', right = ''] = line.split(';');
    const slots = listsOf(left).map(
      words => new Set(words.flatMap(word => (word.startsWith('@') ? (shared.get(word) ?? []) : [stem(word)]))),
    );
    for (const [slot, stems] of slots.entries()) {
      for (const each of stems) {
        const places = byStem.get(each) ?? [];
        places.push(rows.length * mostSlots + slot);
        byStem.set(each, places);
      }
    }
    rows.push({ asks: listsOf(right), slots });
  }
}

const shared = new Map<string, string[]>();
for (const text of [
  sceneSituationRows,
  mediaSituationRows,
  pageSituationRows,
  moreSituationRows,
  relationSituationRows,
])
  learn(text, shared);

const most = 4;
/** Slots that the query has a word for, as bits; all 0 between two queries. */
const filled = new Uint8Array(rows.length);

/**
 * What the situations in a query ask for: lists of words that stand for each other. `forms` are per word of the query
 * the stems that it may have, its translations' among them.
 */
export function situationsIn(forms: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (forms.length < 2) return [];
  const touched: number[] = [];
  for (const stems of forms) {
    for (const each of stems) {
      for (const place of byStem.get(each) ?? none) {
        const row = Math.floor(place / mostSlots);
        if (filled[row] === 0) touched.push(row);
        filled[row] = (filled[row] as number) | (1 << (place % mostSlots));
      }
    }
  }
  const found: Row[] = [];
  for (const at of touched) {
    const row = rows[at] as Row;
    if (filled[at] === (1 << row.slots.length) - 1 && isIn(row, forms)) found.push(row);
    filled[at] = 0;
  }
  // What more words of the query speak for is more surely meant.
  found.sort((a, b) => b.slots.length - a.slots.length);
  return found.slice(0, most).flatMap(row => row.asks);
}

const none: readonly never[] = [];

/** Whether there is a word of the query for each slot, no word for two. */
function isIn({ slots }: Row, forms: readonly (readonly string[])[]): boolean {
  const taken = new Set<number>();
  for (const slot of slots) {
    const place = forms.findIndex((own, at) => !taken.has(at) && own.some(each => slot.has(each)));
    if (place < 0) return false;
    taken.add(place);
  }
  return true;
}
