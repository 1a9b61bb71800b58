import { expect, test } from 'vitest';
import { createWordFinder } from '../../schemas/word-finder.ts';

test('a word is found wherever it stands, in any case, also where others begin in it', () => {
  const has = createWordFinder(['she', 'hers', 'his', 'e.x', '\\u']);
  for (const text of ['she', 'xxSHExx', 'shers', 'hhis', 'ushis', 'e.x', 'ee.X', 'a\\u0061', 'żółw she', '日hers']) {
    expect(has(text), text).toBe(true);
  }
  for (const text of ['', 'sh', 'her', 'hi s', 'exx', 'e,x', 'shhe rs', '\\', 'ſhe', 'żółw']) {
    expect(has(text), text).toBe(false);
  }
});

test('what it says of any text is what a search for each of its words says', () => {
  const words = ['ab', 'abc', 'bca', 'caa', 'c-c', '--', 'aaab'];
  const has = createWordFinder(words);
  const letters = 'abc-';
  for (let number = 0; number < 4 ** 7; number += 1) {
    const text = Array.from({ length: 7 }, (_, at) => letters[Math.floor(number / 4 ** at) % 4]).join('');
    expect(has(text)).toBe(words.some(each => text.includes(each)));
  }
});

test('long texts are looked through as a whole, whatever letters are in them', () => {
  const has = createWordFinder(['needle', 'x']);
  for (const before of [16_378, 16_379, 16_381, 16_383, 16_384, 32_765, 50_000]) {
    for (const letter of ['-', 'ü', '日']) {
      const text = letter.repeat(before);
      expect(has(`${text}needle`), `${letter} ${before}`).toBe(true);
      expect(has(`${text}needl-e`), `${letter} ${before}`).toBe(false);
    }
  }
});
