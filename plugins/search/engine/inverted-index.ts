/** Records by word. A record comes and goes as a whole; its number is used again. Knows no ranking. */
import type { CapabilityRecord } from '../api.ts';
import { createDictionary, type Dictionary, type Word } from './dictionary.ts';
import { createHostNumbers } from './host-numbers.ts';
import { type FieldName, fieldBits, fieldsOf, fieldWeights, rawTextsOf } from './record-fields.ts';
import { createSignatures, isTold } from './signatures.ts';
import { fold, nameParts, spell, spellLines, wordsOf } from './tokens.ts';

export interface IndexedRecord {
  readonly id: number;
  readonly record: CapabilityRecord;
  /** Name, spelled. */
  readonly name: string;
  /** Parts of the name, in order. */
  readonly parts: readonly string[];
  /** Folded host type. */
  readonly host: string;
  /** Texts of every field, spelled, a line each. */
  readonly text: string;
  readonly tags: ReadonlySet<string>;
  readonly words: readonly Word[];
}

export interface InvertedIndex {
  readonly dictionary: Dictionary;
  readonly size: number;
  /** Numbers run below this. */
  readonly capacity: number;
  at(id: number): IndexedRecord | undefined;
  /** Numbers of the records that have every part, a spelled text each, in one of their texts. */
  holding(parts: readonly string[]): number[];
  /** Records whose tool name, callable id or slug, spelled, is `name`. */
  named(name: string): readonly IndexedRecord[];
  /** Host types of the records, folded, with how many records each has. */
  readonly hosts: ReadonlyMap<string, number>;
  /** A table by number of the record: whether its host type is one of `hosts`. Valid until the next change. */
  ofHosts(hosts: ReadonlySet<string>): (id: number) => boolean;
  put(record: CapabilityRecord): void;
  remove(record: CapabilityRecord): void;
}

export function createInvertedIndex(): InvertedIndex {
  const dictionary = createDictionary();
  const signatures = createSignatures();
  const records: (IndexedRecord | undefined)[] = [];
  const byKey = new Map<string, IndexedRecord>();
  const byName = new Map<string, IndexedRecord[]>();
  const hosts = new Map<string, number>();
  const hostNumbers = createHostNumbers();
  const free: number[] = [];

  const namesOf = ({ record, name }: IndexedRecord): Set<string> =>
    new Set([name, spell(record.callable_id).trim(), spell(record.tool_slug).trim()]);

  const remove = (record: CapabilityRecord): void => {
    const found = byKey.get(keyOf(record));
    if (!found) return;
    byKey.delete(keyOf(record));
    records[found.id] = undefined;
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
    dictionary,
    hosts,
    ofHosts: hostNumbers.test,
    get size() {
      return byKey.size;
    },
    get capacity() {
      return records.length;
    },
    at: id => records[id],
    holding(parts) {
      const found: number[] = [];
      const may = signatures.having(parts);
      const read = parts.filter(part => !isTold(part));
      for (let id = 0; id < records.length; id += 1) {
        if (!may(id)) continue;
        const entry = records[id];
        if (entry && read.every(part => entry.text.includes(part))) found.push(id);
      }
      return found;
    },
    named: name => byName.get(name) ?? [],
    remove,
    put(record) {
      remove(record);
      const id = free.pop() ?? records.length;
      const fields = fieldsOf(record);
      const words: Word[] = [];
      for (const [text, { weight, bits }] of weigh(fields)) {
        const word = dictionary.intern(text);
        word.postings.put(id, weight, bits);
        words.push(word);
      }
      const entry: IndexedRecord = {
        id,
        record,
        name: spell(record.backend_tool).trim(),
        host: fold(record.dcc_type),
        parts: nameParts(record.backend_tool),
        text: spellLines(rawTextsOf(record, fields)),
        tags: new Set(record.tags.map(fold)),
        words,
      };
      records[id] = entry;
      hostNumbers.put(id, entry.host);
      signatures.put(id, entry.text);
      byKey.set(keyOf(record), entry);
      for (const name of namesOf(entry)) {
        const same = byName.get(name);
        if (same) same.push(entry);
        else byName.set(name, [entry]);
      }
      hosts.set(entry.host, (hosts.get(entry.host) ?? 0) + 1);
    },
  };
}

/** Instances may share the first digits of their ids, and so a slug. */
const keyOf = ({ instance_id, tool_slug }: CapabilityRecord): string => `${instance_id} ${tool_slug}`;

interface Weighed {
  weight: number;
  bits: number;
}

/** Fields whose neighbouring words are also found written as one: `key_frame` by `keyframe`. */
const joined: ReadonlySet<FieldName> = new Set<FieldName>(['name', 'alias', 'tag', 'dcc']);

function weigh(fields: ReturnType<typeof fieldsOf>): Map<string, Weighed> {
  const found = new Map<string, Weighed>();
  for (const { field, texts } of fields) {
    const { weight, usual, slope } = fieldWeights[field];
    const lists = texts.map(wordsOf);
    const length = lists.reduce((sum, list) => sum + list.length, 0);
    if (length === 0) continue;
    const each = weight / (1 - slope + slope * (length / usual));
    const bits = fieldBits[field];
    for (const list of lists) for (const word of list) count(found, word, each, bits);
    if (!joined.has(field)) continue;
    for (const text of texts) {
      const parts = nameParts(text);
      for (let at = 1; at < parts.length; at += 1) count(found, `${parts[at - 1]}${parts[at]}`, each * 0.8, bits);
    }
  }
  return found;
}

function count(found: Map<string, Weighed>, word: string, weight: number, bits: number): void {
  const known = found.get(word);
  if (known) {
    known.weight += weight;
    known.bits |= bits;
  } else found.set(word, { weight, bits });
}
