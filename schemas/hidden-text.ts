/**
 * Characters that people do not see, or that show a text in another order than a program reads it: controls (with them
 * the escapes of terminals), marks of direction, zero width, tags. Where a script or a picture needs one it counts as
 * seen. Pure.
 */

/** What such a character may stand between: joiners in scripts that join, and in pictures made of several. */
const joining = '[[\\p{L}\\p{M}]--[\\p{sc=Latn}\\p{sc=Grek}\\p{sc=Cyrl}]]';
const seen = [
  `(?<=${joining})[\\u200c\\u200d](?=${joining})`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  // The look of the character before it.
  '(?<=[\\p{Emoji}\\p{sc=Han}])[\\ufe0e\\ufe0f]',
  '(?<=\\p{sc=Han})[\\u{e0100}-\\u{e01ef}]',
  // Flags of regions.
  '(?<=\\u{1f3f4})[\\u{e0061}-\\u{e007a}]{4,5}\\u{e007f}',
].join('|');
const unseen = '[[\\p{Cc}--[\\t\\n\\r]]\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\p{Cs}]';

const hidden = new RegExp(unseen, 'v');
const either = new RegExp(`(?:${seen})|(${unseen}+)`, 'gv');

export function holdsHidden(text: string): boolean {
  return hidden.test(text) && revealed(text) !== text;
}

/** The text with a name in place of what is hidden: `<U+202E>`, of several in a row the first and their number. */
export function revealed(text: string): string {
  if (!hidden.test(text)) return text;
  return text.replace(either, (found, run: string | undefined) => (run === undefined ? found : named(run)));
}

function named(run: string): string {
  const [first = '', ...more] = run;
  const code = (first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return more.length === 0 ? `<U+${code}>` : `<U+${code} and ${more.length} more hidden characters>`;
}

/** A JSON value with every text in it, keys too, as `revealed` shows it; the same value when nothing is hidden. */
export function revealedDeep<T>(value: T): T {
  if (typeof value === 'string') return revealed(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map(revealedDeep);
    return list.some((each, index) => each !== value[index]) ? (list as T) : value;
  }
  const entries = Object.entries(value);
  const shown = entries.map(([key, each]) => [revealed(key), revealedDeep(each)] as const);
  return shown.some(([key, each], index) => key !== entries[index]?.[0] || each !== entries[index]?.[1])
    ? (Object.fromEntries(shown) as T)
    : value;
}
