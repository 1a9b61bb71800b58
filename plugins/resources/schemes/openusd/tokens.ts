/** A tolerant scanner of `.usda` text: it sees words, signs and asset paths, and skips numbers, strings and comments. */

export type Token =
  | { type: 'word'; text: string }
  | { type: 'asset'; text: string }
  | { type: 'equals' }
  /** Round brackets, those around numbers alone apart. */
  | { type: 'open' }
  | { type: 'close' }
  /** Nothing found for a while: a chance to let others run. */
  | { type: 'pause' };

const pauseChars = 1 << 16;
const wordStart = /[A-Za-z_]/;
const wordOrNumber = /[\w:.]*/y;
const number = /[\w.+-]*/y;
const tuple = /\([-+.,\d\seE]*\)/y;

/** Every token of `text`. Whatever is not closed ends at its line, or for triple quotes and `@@@` at the end of the text. */
export function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  let paused = 0;
  const lineEnd = (): number => {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  };
  const run = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += Math.max(1, found.length);
    return found;
  };

  while (at < text.length) {
    if (at - paused > pauseChars) {
      paused = at;
      yield { type: 'pause' };
    }
    const char = text[at] as string;
    if (char === '#') {
      at = lineEnd();
    } else if (char === '"' || char === "'") {
      at = text.startsWith(char.repeat(3), at)
        ? closing(text, char.repeat(3), at + 3, text.length)
        : closing(text, char, at + 1, lineEnd());
    } else if (text.startsWith('@@@', at)) {
      const end = closing(text, '@@@', at + 3, text.length);
      // One that is not closed names nothing.
      if (text.endsWith('@@@', end))
        yield { type: 'asset', text: text.slice(at + 3, end - 3).replaceAll('\\@@@', '@@@') };
      at = end;
    } else if (char === '@') {
      const line = lineEnd();
      const end = text.indexOf('@', at + 1);
      const closed = end >= 0 && end < line;
      if (closed) yield { type: 'asset', text: text.slice(at + 1, end) };
      at = closed ? end + 1 : line;
    } else if (char === '=') {
      at += 1;
      yield { type: 'equals' };
    } else if (char === '(') {
      if (run(tuple) === '') yield { type: 'open' };
    } else if (char === ')') {
      at += 1;
      yield { type: 'close' };
    } else if (wordStart.test(char)) {
      yield { type: 'word', text: run(wordOrNumber) };
    } else if (char >= '0' && char <= '9') {
      run(number);
    } else {
      at += 1;
    }
  }
}

/** Where what `mark` closes ends, looking from `from` and not beyond `limit`; a mark after a backslash does not close. */
function closing(text: string, mark: string, from: number, limit: number): number {
  for (let at = from; at < limit; ) {
    const end = text.indexOf(mark, at);
    if (end < 0 || end >= limit) return limit;
    let slashes = 0;
    while (end - slashes > from && text[end - slashes - 1] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + mark.length;
    at = end + 1;
  }
  return limit;
}
