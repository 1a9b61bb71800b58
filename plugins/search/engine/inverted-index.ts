/** Items by word. An item comes and goes as a whole; its number is used again. Knows no ranking. */
import type { FieldRule, FieldText, SearchShape } from '../api.ts';
import { createDictionary, type Word } from './dictionary.ts';
import { facetsOf } from './filter.ts';
import { createHostNumbers } from './host-numbers.ts';
import { createSignatures, isTold } from './signatures.ts';
import { nameParts, spell, spellLines, wordsOf } from './tokens.ts';

export interface Indexed<T> {
  readonly id: number;
  readonly item: T;
  /** Name, spelled. */
  readonly name: string;
  /** Parts of the name, in order. */
  readonly parts: readonly string[];
  /** Decides between equals. */
  readonly order: string;
  /** Folded host type. */
  readonly host: string;
  /** Texts of every field, spelled, a line each. */
  readonly text: string;
  readonly tags: ReadonlySet<string>;
  readonly words: readonly Word[];
}

export type InvertedIndex<T> = ReturnType<typeof createInvertedIndex<T>>;

const none: readonly string[] = [];

export function createInvertedIndex<T>(shape: SearchShape<T>) {
  const dictionary = createDictionary();
  const signatures = createSignatures();
  const entries: (Indexed<T> | undefined)[] = [];
  const byKey = new Map<string, Indexed<T>>();
  const byName = new Map<string, Indexed<T>[]>();
  /** Host types of the items, folded, with how many items each has. */
  const hosts = new Map<string, number>();
  const hostNumbers = createHostNumbers();
  const free: number[] = [];
  const bits = new Map(Object.keys(shape.fields).map((field, at) => [field, 1 << at]));
  /** Bits of a field in postings. */
  const bitOf = (field: string): number => bits.get(field) ?? 0;

  const namesOf = ({ item, name }: Indexed<T>): Set<string> =>
    new Set([name, ...(shape.namesOf?.(item) ?? none).map(each => spell(each).trim())]);

  const remove = (item: T): void => {
    const key = shape.keyOf(item);
    const found = byKey.get(key);
    if (!found) return;
    byKey.delete(key);
    entries[found.id] = undefined;
    free.push(found.id);
    for (const name of namesOf(found)) {
      const left = (byName.get(name) ?? []).filter(each => each !== found);
      if (left.length > 0) byName.set(name, left);
      else byName.delete(name);
    }
    const { host } = found;
    const count = (hosts.get(host) ?? 1) - 1;
    if (count > 0) hosts.set(host, count);
    else {
      hosts.delete(host);
      hostNumbers.forget(host);
    }
    for (const word of found.words) {
      word.postings.delete(found.id);
      if (word.postings.size === 0) dictionary.release(word);
    }
  };

  return {
    ...{ shape, dictionary, hosts, bitOf, remove },
    /** Whether the host type of an item is one of some, by its number. Valid until the next change. */
    ofHosts: hostNumbers.test,
    get size(): number {
      return byKey.size;
    },
    /** Numbers run below this. */
    get capacity(): number {
      return entries.length;
    },
    at: (id: number): Indexed<T> | undefined => entries[id],
    /** Numbers of the items that have every part, a spelled text each, in one of their texts. */
    holding(parts: readonly string[]): number[] {
      const found: number[] = [];
      const may = signatures.having(parts);
      const read = parts.filter(part => !isTold(part));
      for (let id = 0; id < entries.length; id += 1) {
        if (!may(id)) continue;
        const entry = entries[id];
        if (entry && read.every(part => entry.text.includes(part))) found.push(id);
      }
      return found;
    },
    /** Items one of whose full names, spelled, is `name`. */
    named: (name: string): readonly Indexed<T>[] => byName.get(name) ?? [],
    put(item: T): void {
      remove(item);
      const id = free.pop() ?? entries.length;
      const texts = shape.textsOf(item);
      const words: Word[] = [];
      for (const [text, { weight, mask }] of weigh(shape.fields, bitOf, texts)) {
        const word = dictionary.intern(text);
        word.postings.put(id, weight, mask);
        words.push(word);
      }
      const raw = shape.rawTextsOf?.(item, texts) ?? texts.flatMap(each => each.texts);
      const entry: Indexed<T> = {
        ...{ id, item, words },
        name: spell(shape.nameOf(item)).trim(),
        parts: nameParts(shape.nameOf(item)),
        order: shape.orderOf(item),
        ...facetsOf(shape, item),
        text: spellLines(raw),
      };
      entries[id] = entry;
      hostNumbers.put(id, entry.host);
      signatures.put(id, entry.text);
      byKey.set(shape.keyOf(item), entry);
      for (const name of namesOf(entry)) {
        const same = byName.get(name);
        if (same) same.push(entry);
        else byName.set(name, [entry]);
      }
      hosts.set(entry.host, (hosts.get(entry.host) ?? 0) + 1);
    },
  };
}

interface Weighed {
  weight: number;
  mask: number;
}

function weigh(
  rules: Readonly<Record<string, FieldRule>>,
  bitOf: (field: string) => number,
  fields: readonly FieldText<string>[],
): Map<string, Weighed> {
  const found = new Map<string, Weighed>();
  for (const { field, texts } of fields) {
    const rule = rules[field];
    const lists = texts.map(wordsOf);
    const length = lists.reduce((sum, list) => sum + list.length, 0);
    if (length === 0 || !rule) continue;
    const each = rule.weight / (1 - rule.slope + rule.slope * (length / rule.usual));
    const mask = bitOf(field);
    for (const list of lists) for (const word of list) count(found, word, each, mask);
    if (!rule.joined) continue;
    for (const text of texts) {
      const parts = nameParts(text);
      for (let at = 1; at < parts.length; at += 1) count(found, `${parts[at - 1]}${parts[at]}`, each * 0.8, mask);
    }
  }
  return found;
}

function count(found: Map<string, Weighed>, word: string, weight: number, mask: number): void {
  const known = found.get(word);
  if (known) {
    known.weight += weight;
    known.mask |= mask;
  } else found.set(word, { weight, mask });
}
