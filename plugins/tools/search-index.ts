/**
 * Which tools contain every word of a query as a substring of name or description (specification: search_tools).
 * The index of the search engine answers exactly as a scan does; this keeps it in step with the tools.
 */
import type { SearchService } from '../search/api.ts';

export interface SearchText {
  readonly name: string;
  readonly description: string;
}

/** Words of a query that count: two characters or more, in lower case. */
export function queryWords(query: string): string[] {
  const words = query.toLowerCase().split(/\s+/);
  return [...new Set(words.filter(word => word.length >= 2))];
}

/** The rule itself, for one text. */
export function containsWords({ name, description }: SearchText, words: readonly string[]): boolean {
  // A word has no line break, so none can reach from the name into the description.
  const text = `${name}\n${description}`.toLowerCase();
  return words.every(word => text.includes(word));
}

/** New items indexed in one `sync`; the others are scanned until their turn comes, so that no search stalls the loop. */
const indexedAtOnce = 500;

export function createSearchIndex<T extends SearchText>({ substrings }: Pick<SearchService, 'substrings'>) {
  const index = substrings<T>(({ name, description }) => [name, description]);
  const indexed = new Set<T>();
  let waiting: T[] = [];
  let synced: readonly T[] | undefined;

  return {
    get size(): number {
      return index.size + waiting.length;
    },
    /** Makes the index hold exactly `items`. */
    sync(items: readonly T[]): void {
      if (items !== synced) {
        const wanted = new Set(items);
        for (const item of indexed) {
          if (wanted.has(item)) continue;
          index.remove(item);
          indexed.delete(item);
        }
        waiting = items.filter(item => !indexed.has(item));
        synced = items;
      }
      for (const item of waiting.splice(0, indexedAtOnce)) {
        index.put(item);
        indexed.add(item);
      }
    },
    /** Items that contain every word, in no particular order. */
    match: (words: readonly string[]): T[] => [
      ...index.holding(words),
      ...waiting.filter(item => containsWords(item, words)),
    ],
  };
}
