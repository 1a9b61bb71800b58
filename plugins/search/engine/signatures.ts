/**
 * What signs and joints a text has, as bits: a search for `c++` or `x_y` reads only the texts whose bits have those of
 * what it looks for, a search for one letter or sign reads none. Knows no records, only numbers and spelled texts.
 */

const words = 20;
const space = 68;
/** Bits: letters and digits, signs, a letter behind and before a space; then pairs with a sign, which share them. */
const behindSpace = space;
const beforeSpace = behindSpace + 36;
const pairs = beforeSpace + 36;
const shared = words * 32 - pairs;

/** 0 to 35 letters and digits, 36 to 67 signs, then the space; none for what is not told apart. */
const kinds = new Int8Array(128).fill(-1);
[...'abcdefghijklmnopqrstuvwxyz0123456789!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ '].forEach((sign, kind) => {
  kinds[sign.charCodeAt(0)] = kind;
});

/** Whether the bits alone tell that a text has the part. */
export const isTold = (part: string): boolean => part.length === 1 && (kinds[part.charCodeAt(0)] ?? -1) >= 0;

export function createSignatures() {
  let bits = new Uint32Array(words * 64);

  return {
    put(id: number, text: string): void {
      const from = id * words;
      if (from + words > bits.length) {
        const grown = new Uint32Array(Math.ceil((id + 1) * 1.5) * words);
        grown.set(bits);
        bits = grown;
      }
      bits.fill(0, from, from + words);
      mark(bits, from, text);
    },
    /** A test for numbers whose text may have all the parts; every number whose text has them passes. */
    having(parts: readonly string[]): (id: number) => boolean {
      const wanted = new Uint32Array(words);
      for (const part of parts) mark(wanted, 0, part);
      const places = [...wanted.keys()].filter(at => wanted[at] !== 0);
      const masks = places.map(at => wanted[at] as number);
      return id => {
        for (let at = 0; at < places.length; at += 1) {
          const mask = masks[at] as number;
          if (((bits[id * words + (places[at] as number)] as number) & mask) >>> 0 !== mask) return false;
        }
        return true;
      };
    },
  };
}

function mark(bits: Uint32Array, from: number, text: string): void {
  let before = -1;
  for (let at = 0; at < text.length; at += 1) {
    const kind = kinds[text.charCodeAt(at)] ?? -1;
    if (kind >= 0 && kind < space) set(bits, from, kind);
    if (kind >= 0 && before >= 0 && (kind >= 36 || before >= 36)) set(bits, from, bitOfPair(before, kind));
    before = kind;
  }
}

function bitOfPair(before: number, kind: number): number {
  if (before === space && kind < 36) return behindSpace + kind;
  if (kind === space && before < 36) return beforeSpace + before;
  return pairs + ((Math.imul(before * 70 + kind, 0x9e3779b1) >>> 8) % shared);
}

function set(bits: Uint32Array, from: number, bit: number): void {
  const at = from + (bit >>> 5);
  bits[at] = (bits[at] as number) | (1 << (bit & 31));
}
