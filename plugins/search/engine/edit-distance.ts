/** How many typing slips lie between two words: insertions, deletions, replacements, swapped neighbours. Pure. */

/** Slips that are forgiven in a word of this length. */
export const slipsOf = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/** The letters of a word as bits: two words that differ by n slips differ in at most 2n bits. */
export function letterMask(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at += 1) mask |= 1 << (word.charCodeAt(at) & 31);
  return mask;
}

export function bitCount(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Three rows of the table, made once: a misspelt word is compared with thousands. */
let rows = [new Int32Array(64), new Int32Array(64), new Int32Array(64)];

/**
 * The distance (optimal string alignment), or `most + 1` as soon as it is known to be above `most`. Only the cells that
 * lie within `most` of the diagonal are looked at: no shorter way leaves them.
 */
export function editDistance(a: string, b: string, most: number): number {
  const far = most + 1;
  if (Math.abs(a.length - b.length) > most) return far;
  if (b.length + 2 > (rows[0] as Int32Array).length) rows = rows.map(() => new Int32Array(b.length * 2));
  let [before, last, row] = rows as [Int32Array, Int32Array, Int32Array];
  for (let j = 0; j <= Math.min(b.length, far); j += 1) last[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    row[from - 1] = from === 1 ? i : far;
    let least = row[from - 1] as number;
    const letter = a.charCodeAt(i - 1);
    for (let j = from; j <= to; j += 1) {
      const other = b.charCodeAt(j - 1);
      let best = (last[j - 1] as number) + (letter === other ? 0 : 1);
      best = Math.min(best, (last[j] as number) + 1, (row[j - 1] as number) + 1);
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other) {
        best = Math.min(best, (before[j - 2] as number) + 1);
      }
      row[j] = best;
      if (best < least) least = best;
    }
    if (least > most) return far;
    row[to + 1] = far;
    [before, last, row] = [last, row, before];
  }
  return Math.min(last[b.length] as number, far);
}
