/** The order of items: by score, then anew for the best by how their names fit; the exact name is always first. */
import type { MatchReason, RankedHit } from '../api.ts';
import type { ItemFilter } from './filter.ts';
import type { Hints } from './hints.ts';
import type { Indexed, InvertedIndex } from './inverted-index.ts';
import { createReasons } from './match-reasons.ts';
import { createNameFit } from './name-fit.ts';
import { opponentOf } from './opposites.ts';
import type { Query } from './query.ts';
import type { Scores } from './scorer.ts';
import { byScore, createTop, isBetter, type Scored } from './top.ts';

export interface RankInput<T> {
  readonly query: Query;
  readonly scores: Scores;
  readonly filter: ItemFilter<Indexed<T>> | undefined;
  /** A record needs every word of the query, as it stands, in its texts. */
  readonly strict: boolean;
  readonly hints: Hints<T>;
  /** How many of the order are wanted. */
  readonly most: number;
  /** Whether all that match are to be named, not only counted. */
  readonly listed: boolean;
}

export interface Ranking<T> {
  readonly total: number;
  /** Numbers of all of them, when they were asked for. */
  readonly all?: readonly number[];
  readonly best: readonly Ranked<T>[];
}

export interface Ranked<T> extends Scored {
  readonly reasonsOf: (entry: Indexed<T>) => readonly MatchReason[];
}

/** Records that are looked at closely; the same for every page, so that pages do not overlap. */
const window = 120;

export const scoreOf = { exactName: 2000, most: 1900, text: 620 };
const factors = { otherHost: 0.6, opposite: 0.8, uncovered: 0.8 };

export function rank<T>(index: InvertedIndex<T>, input: RankInput<T>): Ranking<T> {
  const { query, scores, filter, hints } = input;
  const { terms, ideal } = scores;
  const { factorOf } = index.shape;
  const { total, best: reached, all } = firstPass(index, input);
  const first = exactNames(index, query, filter);
  const places = new Map(reached.map((each, place) => [each.id, place]));
  const late = [...first].filter(entry => (places.get(entry.id) ?? window) >= window);

  const reasonsOf = createReasons(index, query, terms, hints);
  const nameFit = createNameFit(query, terms);
  const opposes = opponentOf(
    query.terms.flatMap(({ text, senses }) => [
      text,
      ...senses.filter(each => each.weight >= 0.85).map(each => each.word),
    ]),
  );
  const scored = (entry: Indexed<T>, sum: number): number => {
    if (first.has(entry)) return scoreOf.exactName;
    const place = places.get(entry.id) ?? window;
    const base = ideal > 0 ? Math.min(1, sum / ideal) : 0;
    const fit = place < window ? nameFit(entry) * (factorOf?.(entry.item) ?? 1) : 0;
    const turned = place < window && opposes?.(entry.parts) ? factors.opposite : 1;
    const score = Math.round((scoreOf.text * base + fit) * turned * (hints.given ? hints.factor(entry) : 1));
    return Math.max(1, Math.min(scoreOf.most, score));
  };
  /** Made for more than a hundred records of each query. */
  const ranked = (found: Scored): Ranked<T> => {
    const entry = index.at(found.id) as Indexed<T>;
    return { id: found.id, score: scored(entry, found.score), order: found.order, reasonsOf };
  };
  const close = [...late.map(({ id, order }) => ({ id, score: 0, order })), ...reached.slice(0, window)];
  const best = close.map(ranked).sort(byScore);
  // The rest keeps its order behind them, or pages would overlap.
  let least = best.at(-1)?.score ?? 0;
  for (const each of reached.slice(window)) {
    const entry = index.at(each.id) as Indexed<T>;
    if (first.has(entry)) continue;
    const next = ranked(each);
    least = Math.min(least, next.score);
    next.score = least;
    best.push(next);
  }
  const unreached = late.filter(entry => scores.matched[entry.id] === 0);
  for (const entry of unreached) all?.push(entry.id);
  return { total: total + unreached.length, best, ...(all && { all }) };
}

/** Every record reached, cut to the best by their texts alone. */
function firstPass<T>(
  index: InvertedIndex<T>,
  { query, scores, filter, strict, most, listed }: RankInput<T>,
): { total: number; best: Scored[]; all: number[] | undefined } {
  const { reached, count, totals, matched } = scores;
  const covered = coverage(scores.asked);
  const top = createTop(Math.max(window, most));
  const { hosts, words } = query;
  const { factorOf } = index.shape;
  const admitted = filter?.hosts && index.ofHosts(filter.hosts);
  const meant = hosts.size > 0 ? index.ofHosts(hosts) : undefined;
  // Then most records of a large index need not be looked at: they only count.
  const bare = !filter?.rest && !strict && !listed;
  const all = listed ? ([] as number[]) : undefined;
  let total = 0;
  let least = top.least();
  for (let at = 0; at < count; at += 1) {
    const id = reached[at] as number;
    if (admitted && !admitted(id)) continue;
    const sum = (totals[id] as number) * (covered[matched[id] as number] as number);
    if (bare && sum < least) {
      total += 1;
      continue;
    }
    const entry = index.at(id);
    if (!entry || (filter?.rest && !filter.rest(entry))) continue;
    if (strict && !words.every(word => entry.text.includes(word))) continue;
    total += 1;
    all?.push(id);
    const score = meant && !meant(id) ? sum * factors.otherHost : sum;
    if (score < least) continue;
    top.offer(id, factorOf ? score * factorOf(entry.item) : score, entry.order);
    least = top.least();
  }
  return { total, best: top.sorted(), all };
}

/** By how many terms a record has: what its total is multiplied with. Explaining more of the query beats one strong word. */
function coverage(asked: number): Float32Array {
  const { uncovered } = factors;
  const most = Math.max(1, asked);
  return Float32Array.from({ length: 256 }, (_, at) => uncovered + (1 - uncovered) * Math.min(1, at / most));
}

/** Records that the whole query names. */
function exactNames<T>(
  index: InvertedIndex<T>,
  query: Query,
  filter: ItemFilter<Indexed<T>> | undefined,
): Set<Indexed<T>> {
  const found = query.phrase === '' ? [] : index.named(query.phrase);
  return new Set(filter ? found.filter(filter.admits) : found);
}

/** One order of several rankings: a record counts by its best place. */
export function mergeRankings<T>(rankings: readonly Ranking<T>[]): Ranking<T> {
  const [only] = rankings;
  if (rankings.length === 1 && only) return only;
  const best = new Map<number, Ranked<T>>();
  for (const each of rankings.flatMap(ranking => ranking.best)) {
    const known = best.get(each.id);
    if (!known || isBetter(each, known)) best.set(each.id, each);
  }
  const all = new Set(rankings.flatMap(each => each.all ?? []));
  return { total: all.size, best: [...best.values()].sort(byScore) };
}

/** A ranked record as it is returned. */
export function toHit<T>(index: InvertedIndex<T>, { id, score, reasonsOf }: Ranked<T>, place: number): RankedHit<T> {
  const entry = index.at(id) as Indexed<T>;
  return { item: entry.item, rank: place, score, match_reasons: reasonsOf(entry) };
}
