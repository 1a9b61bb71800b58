/**
 * The words of the index: by itself, by stem, by part and by likeness. A word lives as long as a record has it; the
 * texts that parts are searched in are joined per block, so that one change joins one block anew.
 */
import { bitCount, editDistance, letterMask } from './edit-distance.ts';
import { createPostings, type Postings } from './postings.ts';
import { stem } from './stems.ts';

export interface Word {
  readonly id: number;
  readonly text: string;
  readonly postings: Postings;
}

export type Dictionary = ReturnType<typeof createDictionary>;

const blockSize = 512;

interface Block {
  words: (Word | undefined)[];
  /** Letters and length of each word, apart from the words: likeness is asked of all of them. 0 where there is none. */
  masks: Int32Array;
  lengths: Uint16Array;
  /** Texts joined with line breaks, and where each begins; undefined when a word came or went. */
  text: string | undefined;
  starts: number[];
}

export function createDictionary() {
  const words = new Map<string, Word>();
  /** Made when a stem is first asked for: who looks for parts alone needs none. */
  let stems: Map<string, Word[]> | undefined;
  const blocks: Block[] = [];
  const free: number[] = [];
  let next = 0;
  let version = 0;

  const blockOf = (id: number): Block => {
    const at = Math.floor(id / blockSize);
    let block = blocks[at];
    if (!block) {
      const [masks, lengths] = [new Int32Array(blockSize), new Uint16Array(blockSize)];
      block = { words: [], masks, lengths, text: undefined, starts: [] };
      blocks[at] = block;
    }
    return block;
  };

  const put = (id: number, word: Word | undefined): void => {
    const block = blockOf(id);
    const slot = id % blockSize;
    block.words[slot] = word;
    block.masks[slot] = word ? letterMask(word.text) : 0;
    block.lengths[slot] = word ? word.text.length : 0;
    block.text = undefined;
    version += 1;
  };

  return {
    /** Grows when a word comes or goes. */
    get version(): number {
      return version;
    },
    get: (text: string): Word | undefined => words.get(text),
    /** The word, made when it is new. */
    intern(text: string): Word {
      const found = words.get(text);
      if (found) return found;
      const id = free.pop() ?? next++;
      const word: Word = { id, text, postings: createPostings() };
      words.set(text, word);
      if (stems) addStem(stems, word);
      put(id, word);
      return word;
    },
    /** Forgets a word that no record has. */
    release(word: Word): void {
      words.delete(word.text);
      if (stems) dropStem(stems, word);
      free.push(word.id);
      put(word.id, undefined);
    },
    /** Words with the stem. */
    ofStem(stemmed: string): readonly Word[] {
      if (!stems) {
        stems = new Map();
        for (const word of words.values()) addStem(stems, word);
      }
      return stems.get(stemmed) ?? none;
    },
    /** Words that contain `part`. */
    holding(part: string): Word[] {
      const found: Word[] = [];
      for (const block of blocks) collect(block, part, found);
      return found;
    },
    /** Words that `text` leaves letters out of: `kfram`, `rndr`. */
    abbreviated(text: string): Word[] {
      const mask = letterMask(text);
      const found: Word[] = [];
      for (const { words: own, masks } of blocks) {
        for (let slot = 0; slot < own.length; slot += 1) {
          if (((masks[slot] as number) & mask) !== mask) continue;
          const word = own[slot];
          if (word && shortens(text, word.text)) found.push(word);
        }
      }
      return found;
    },
    /** Words within `most` slips. */
    like(text: string, most: number) {
      const mask = letterMask(text);
      const found: { word: Word; distance: number }[] = [];
      for (const { words: own, masks, lengths } of blocks) {
        for (let slot = 0; slot < own.length; slot += 1) {
          if (Math.abs((lengths[slot] as number) - text.length) > most) continue;
          if (bitCount((masks[slot] as number) ^ mask) > 2 * most) continue;
          const word = own[slot];
          if (!word) continue;
          const distance = editDistance(text, word.text, most);
          if (distance <= most) found.push({ word, distance });
        }
      }
      return found;
    },
  };
}

const none: readonly Word[] = [];

function addStem(stems: Map<string, Word[]>, word: Word): void {
  const key = stem(word.text);
  const same = stems.get(key);
  if (same) same.push(word);
  else stems.set(key, [word]);
}

function dropStem(stems: Map<string, Word[]>, word: Word): void {
  const key = stem(word.text);
  const left = (stems.get(key) ?? none).filter(each => each !== word);
  if (left.length > 0) stems.set(key, left);
  else stems.delete(key);
}

function collect(block: Block, part: string, found: Word[]): void {
  if (block.text === undefined) join(block);
  const { text = '', starts, words } = block;
  let slot = 0;
  for (let at = text.indexOf(part); at >= 0; ) {
    while (slot + 1 < starts.length && (starts[slot + 1] as number) <= at) slot += 1;
    const word = words[slot];
    if (word) found.push(word);
    const after = starts[slot + 1];
    at = after === undefined ? -1 : text.indexOf(part, after);
  }
}

function join(block: Block): void {
  block.starts = [];
  let length = 0;
  for (const word of block.words) {
    block.starts.push(length);
    length += (word?.text.length ?? 0) + 1;
  }
  block.text = block.words.map(word => word?.text ?? '').join('\n');
}

/** Whether `text` is `word` with letters left out, its first one kept. */
function shortens(text: string, word: string): boolean {
  if (text[0] !== word[0] || text.length * 2 < word.length) return false;
  let at = 0;
  for (const letter of word) if (letter === text[at]) at += 1;
  return at === text.length;
}
