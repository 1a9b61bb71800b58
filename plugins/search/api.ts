/** What other rooms may use of the search engine: an index of items with fields, searched by rank or by substrings. */
import type { Lexicon } from './lexicon/lexicon.ts';

export type { Lexicon };

/** Weight of one occurrence, how many words are usual, and how much a longer text counts less (BM25F). */
export interface FieldRule {
  readonly weight: number;
  readonly usual: number;
  readonly slope: number;
  /** Neighbouring words are also found written as one: `key_frame` by `keyframe`. */
  readonly joined?: boolean;
  /** What the field is called in `match_reasons`. */
  readonly reason?: 'tool' | 'alias' | 'tag' | 'skill' | 'summary' | 'schema' | 'dcc';
}

export interface FieldText<F extends string> {
  readonly field: F;
  readonly texts: readonly string[];
}

/** How the items of a room are searched. At most 16 fields. */
export interface SearchShape<T, F extends string = string> {
  readonly fields: Readonly<Record<F, FieldRule>>;
  textsOf(item: T): readonly FieldText<F>[];
  /** Every text as it stands, where it is not what `textsOf` gives. */
  rawTextsOf?(item: T, texts: readonly FieldText<F>[]): readonly string[];
  /** Tells items apart: what is put with the key of another replaces it. */
  keyOf(item: T): string;
  /** The name that a query may be; it is split into words. */
  nameOf(item: T): string;
  /** Other full names. */
  namesOf?(item: T): readonly string[];
  /** Decides between equals. */
  orderOf(item: T): string;
  /** The host type. */
  hostOf?(item: T): string;
  skillOf?(item: T): string | null;
  tagsOf?(item: T): readonly string[];
  /** What its score is multiplied with; 1 at most. */
  factorOf?(item: T): number;
}

export interface SearchFilter {
  /** Together with `dcc_types`: one of them. */
  dcc_type?: string;
  dcc_types?: readonly string[];
  /** Every one of them. */
  tags?: readonly string[];
  /** At least one of them. */
  tags_any?: readonly string[];
  /** None of them. */
  exclude_tags?: readonly string[];
}

export interface RankedInput extends SearchFilter {
  query?: string;
  /** Alternatives, the first eight: an item counts by the one that fits it best. */
  or_queries?: readonly string[];
  /** Words of the open scene or its file name: they move hits up, they find none. */
  scene_hint?: string;
  skill_hint?: string;
  min_score?: number;
  /** 0 and absent are 25; at most 100. */
  limit?: number;
  offset?: number;
  /** `exact` needs every word as it stands; hybrid is fuzzy, the default. */
  mode?: 'fuzzy' | 'exact' | 'hybrid';
}

type Reason = Exclude<FieldRule['reason'], 'dcc' | undefined>;

export type MatchReason =
  | `${Reason}_lexical`
  | `${Reason}_fuzzy`
  | 'multi_token_lexical'
  | 'dcc_match'
  | 'scene_hint'
  | 'skill_hint';

export interface RankedHit<T> {
  readonly item: T;
  /** From 1, over all pages. */
  readonly rank: number;
  /** 1 to 1900 for how well it fits, hints included; 2000 for the exact name. Without a query what the hints add. */
  readonly score: number;
  readonly match_reasons: readonly MatchReason[];
}

/** Why a query may not have found what was meant: it reads like a sentence, or no hit fits it well. */
export type Doubt = 'sentence' | 'poor';

export interface RankedAnswer<T> {
  /** Items that match, before the page is cut. */
  readonly total: number;
  readonly hits: readonly RankedHit<T>[];
  readonly doubt?: Doubt;
}

/** An index whose hits are ranked. */
export interface RankedIndex<T> {
  readonly size: number;
  put(item: T): void;
  remove(item: T): void;
  /** `also` is what only the room knows of an item; its test comes last. */
  search(input: RankedInput, also?: (item: T) => boolean): RankedAnswer<T>;
}

/** An index that is asked for substrings, in any case of letters: the answer is exactly that of a scan of every text. */
export interface SubstringIndex<T> {
  readonly size: number;
  put(item: T): void;
  remove(item: T): void;
  /** Items that have every part somewhere in their texts, in no particular order; a part has no blank. */
  holding(parts: readonly string[]): T[];
}

export interface Weighed<T> {
  readonly item: T;
  readonly score: number;
  /** Decides between equals. */
  readonly order: string;
}

export interface SearchService {
  /** With the lexicon a query also finds what is said in other words and languages; it is read at the first search. */
  ranked<T, F extends string>(shape: SearchShape<T, F>, options?: { lexicon?: boolean }): RankedIndex<T>;
  substrings<T>(textsOf: (item: T) => readonly string[]): SubstringIndex<T>;
  /** A test for items that are not in an index. */
  filter<T>(shape: Pick<SearchShape<T>, 'hostOf' | 'tagsOf'>, filter: SearchFilter): (item: T) => boolean;
  /** The best `most`, without sorting the rest. */
  best<T>(items: readonly Weighed<T>[], most: number): T[];
}

declare module 'fastify' {
  interface FastifyInstance {
    searchEngine: SearchService;
  }
}
