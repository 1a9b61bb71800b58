/** Situations told in plain words: which words, anywhere in a query, stand together for what the field calls it. Pure. */
import { mediaSituationRows } from './situation-rows-media.ts';
import { moreSituationRows } from './situation-rows-more.ts';
import { pageSituationRows } from './situation-rows-page.ts';
import { sceneSituationRows } from './situation-rows-scene.ts';
import { stem } from './stems.ts';

interface Row {
  /** Each list is one thing that it asks for, said in several ways. */
  readonly asks: readonly (readonly string[])[];
  /** Stems by slot. */
  readonly slots: readonly ReadonlySet<string>[];
}

/** Rows by each stem of their slots. */
const byStem = new Map<string, Row[]>();

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
      shared.set(first, rest);
      continue;
    }
    const [left = '', right = ''] = line.split(';');
    const slots = listsOf(left).map(
      words => new Set(words.flatMap(word => (word.startsWith('@') ? (shared.get(word) ?? []) : [word])).map(stem)),
    );
    const row: Row = { asks: listsOf(right), slots };
    for (const each of new Set(slots.flatMap(slot => [...slot]))) byStem.set(each, [...(byStem.get(each) ?? []), row]);
  }
}

const shared = new Map<string, string[]>();
for (const rows of [sceneSituationRows, mediaSituationRows, pageSituationRows, moreSituationRows]) learn(rows, shared);

const most = 4;

/**
 * What the situations in a query ask for: lists of words that stand for each other. `forms` are per word of the query
 * the stems that it may have, its translations' among them.
 */
export function situationsIn(forms: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (forms.length < 2) return none;
  const found: Row[] = [];
  const seen = new Set<Row>();
  for (const own of forms) {
    for (const each of own) {
      for (const row of byStem.get(each) ?? none) {
        if (seen.has(row)) continue;
        seen.add(row);
        if (isIn(row, forms)) found.push(row);
      }
    }
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
