/**
 * Which tools contain every word of a query as a substring of name or description (specification: search_tools).
 * A dictionary of tokens is searched instead of every text; the answer is exactly that of a scan.
 */

export interface SearchText {
  readonly name: string;
  readonly description: string;
}

export interface SearchIndex<T extends SearchText> {
  /** Makes the index hold exactly `items`. */
  sync(items: readonly T[]): void;
  /** Items that contain every word, in no particular order. */
  match(words: readonly string[]): T[];
  readonly size: number;
}

/** Words of a query that count: two characters or more, in lower case. */
export function queryWords(query: string): string[] {
  const words = query.toLowerCase().split(/\s+/);
  return [...new Set(words.filter(word => word.length >= 2))];
}

/** The rule itself, for one text. */
export function containsWords(item: SearchText, words: readonly string[]): boolean {
  const text = searchable(item);
  return words.every(word => text.includes(word));
}

// A word has no line break, so none can reach from the name into the description.
const searchable = ({ name, description }: SearchText): string => `${name}\n${description}`.toLowerCase();

const tokenPattern = /[\p{L}\p{N}]+/gu;
const tokensOf = (text: string): string[] => text.match(tokenPattern) ?? [];

/** New items indexed in one `sync`; the others are scanned until their turn comes, so that no search stalls the loop. */
const indexedAtOnce = 500;

interface Indexed {
  text: string;
  tokens: Set<string>;
}

export function createSearchIndex<T extends SearchText>(): SearchIndex<T> {
  const indexed = new Map<T, Indexed>();
  const postings = new Map<string, Set<T>>();
  let waiting: T[] = [];
  let synced: readonly T[] | undefined;

  const add = (item: T): void => {
    const text = searchable(item);
    const tokens = new Set(tokensOf(text));
    indexed.set(item, { text, tokens });
    for (const token of tokens) {
      const found = postings.get(token);
      if (found) found.add(item);
      else postings.set(token, new Set([item]));
    }
  };

  const remove = (item: T, { tokens }: Indexed): void => {
    indexed.delete(item);
    for (const token of tokens) {
      const found = postings.get(token);
      found?.delete(item);
      if (found?.size === 0) postings.delete(token);
    }
  };

  /** Every indexed item with a token that contains `part`. */
  const holding = (part: string): Set<T> => {
    const found = new Set<T>();
    for (const [token, items] of postings) {
      if (token.includes(part)) for (const item of items) found.add(item);
    }
    return found;
  };

  return {
    get size() {
      return indexed.size + waiting.length;
    },
    sync(items) {
      if (items !== synced) {
        const wanted = new Set(items);
        for (const [item, entry] of indexed) if (!wanted.has(item)) remove(item, entry);
        waiting = items.filter(item => !indexed.has(item));
        synced = items;
      }
      for (const item of waiting.splice(0, indexedAtOnce)) add(item);
    },
    match(words) {
      if (words.length === 0) return [...indexed.keys(), ...waiting];
      // A word without separators lies inside one token; of one with separators each part does, and the text decides.
      const sets = words.flatMap(word => tokensOf(word)).map(holding);
      const loose = words.filter(word => tokensOf(word)[0] !== word);
      sets.sort((a, b) => a.size - b.size);
      const [smallest = new Set(indexed.keys()), ...others] = sets;
      const found = [...smallest].filter(
        item =>
          others.every(set => set.has(item)) && loose.every(word => (indexed.get(item) as Indexed).text.includes(word)),
      );
      return [...found, ...waiting.filter(item => containsWords(item, words))];
    },
  };
}
