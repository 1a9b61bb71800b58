/** The order of records: by score, then anew for the best by how their names fit; the exact name is always first. */
import type { MatchReason, SearchHit } from './api.ts';
import { opposes } from './opposites.ts';
import { hostOfScene } from './host-names.ts';
import type { IndexedRecord, InvertedIndex } from './inverted-index.ts';
import { reasonsOf } from './match-reasons.ts';
import type { Query } from './query.ts';
import type { ScoredTerm, Scores } from './scorer.ts';
import { byScore, createTop, isBetter, type Scored } from './top-records.ts';
import type { RecordFilter } from './filter.ts';
import { fold, nameParts } from './tokens.ts';

export interface RankInput {
  readonly query: Query;
  readonly scores: Scores;
  readonly filter: RecordFilter | undefined;
  /** A record needs every word in its text. */
  readonly strict: boolean;
  readonly hints: Hints;
  /** How many of the order are wanted. */
  readonly most: number;
}

export interface Hints {
  readonly skill: string;
  readonly scene: string;
}

export interface Ranking {
  readonly total: number;
  readonly best: readonly Ranked[];
}

export interface Ranked extends Scored {
  readonly reasons: () => MatchReason[];
}

/** Records that are looked at closely; the same for every page, so that pages do not overlap. */
const window = 200;

export const scoreOf = { exactName: 2000, most: 1000 };
const share = { text: 620, name: 230, coverage: 150 };
const factors = { otherHost: 0.6, opposite: 0.8, unloaded: 0.985, skillHint: 1.25, sceneHint: 1.1, namedInside: 400, whole: 180 };

export function rank(index: InvertedIndex, { query, scores, filter, strict, hints, most }: RankInput): Ranking {
  const { reached, count, totals, matched, terms, ideal } = scores;
  const top = createTop(Math.max(window, most));
  const sceneHost = hostOfScene(hints.scene);
  const wide = query.words.filter(word => word.length >= 2);
  let total = 0;

  for (let at = 0; at < count; at += 1) {
    const id = reached[at] as number;
    const entry = index.at(id);
    if (!entry || (filter && !filter(entry))) continue;
    if (strict && (matched[id] !== terms.length || !wide.every(word => entry.text.includes(word)))) continue;
    total += 1;
    top.offer(id, (totals[id] as number) * factorOf(entry, query), () => entry.record.tool_slug);
  }

  const meant = query.terms.flatMap(({ text, senses }) => [text, ...senses.filter(each => each.weight >= 0.85).map(each => each.word)]);
  const first = exactNames(index, query, filter);
  const chosen = new Map(top.sorted().map((each, place) => [each.id, { ...each, place }]));
  for (const id of first) if (!chosen.has(id)) chosen.set(id, { id, score: 0, slug: index.at(id)?.record.tool_slug ?? '', place: 0 });

  const ranked = [...chosen.values()].map((each): Ranked => {
    const entry = index.at(each.id) as IndexedRecord;
    const base = ideal > 0 ? Math.min(1, each.score / ideal) : 0;
    const fit = each.place < window ? nameFit(entry, query, terms) : 0;
    const turned = opposes(meant, entry.parts) ? factors.opposite : 1;
    const hinted = hintFactor(entry, hints, sceneHost) * turned;
    const score = first.has(each.id)
      ? scoreOf.exactName
      : Math.max(1, Math.min(scoreOf.most + 900, Math.round((share.text * base + fit) * hinted)));
    return { id: each.id, slug: each.slug, score, reasons: () => reasonsOf(entry, query, terms, hints) };
  });
  return { total, best: ranked.sort(byScore) };
}

function factorOf({ record }: IndexedRecord, { hosts }: Query): number {
  const host = hosts.size > 0 && !hosts.has(fold(record.dcc_type)) ? factors.otherHost : 1;
  return record.loaded ? host : host * factors.unloaded;
}

/** How much of the name the query explains, and how much of the query the name. */
function nameFit(entry: IndexedRecord, query: Query, terms: readonly ScoredTerm[]): number {
  if (entry.parts.length === 0) return 0;
  const weights = terms.map(({ expansions }) => new Map(expansions.map(each => [each.word.text, each.weight])));
  let explained = 0;
  const found = terms.map(() => 0);
  for (const part of entry.parts) {
    let best = 0;
    weights.forEach((of, at) => {
      const weight = of.get(part) ?? 0;
      if (weight > best) best = weight;
      if (weight > (found[at] as number)) found[at] = weight;
    });
    explained += best;
  }
  const value = terms.reduce((sum, each) => sum + each.value, 0) || 1;
  const covered = terms.reduce((sum, each, at) => sum + each.value * (found[at] as number), 0) / value;
  const ofName = explained / entry.parts.length;
  const whole = nameParts(query.phrase).join('') === entry.parts.join('') ? factors.whole : 0;
  const inside = query.words.length > 1 && entry.name.includes('_') && query.words.includes(entry.name);
  return share.name * ofName * covered + share.coverage * covered + whole + (inside ? factors.namedInside : 0);
}

function hintFactor({ record, text }: IndexedRecord, { skill, scene }: Hints, sceneHost: string | undefined): number {
  let factor = 1;
  if (skill !== '' && fold(record.skill_name ?? '').includes(fold(skill).trim())) factor *= factors.skillHint;
  if (scene !== '') {
    if (sceneHost !== undefined && fold(record.dcc_type).includes(sceneHost)) factor *= factors.sceneHint;
    const words = nameParts(scene).filter(word => word.length > 2);
    const present = words.filter(word => text.includes(word)).length;
    if (present > 0) factor *= 1 + 0.1 * (present / words.length);
  }
  return factor;
}

/** Numbers of the records that the whole query names. */
function exactNames(index: InvertedIndex, query: Query, filter: RecordFilter | undefined): Set<number> {
  const found = query.phrase === '' ? [] : index.named(query.phrase);
  return new Set(found.filter(each => !filter || filter(each)).map(each => each.id));
}

/** A page of several rankings: a record counts by its best place. */
export function mergeRankings(rankings: readonly Ranking[]): Ranking {
  const [only] = rankings;
  if (rankings.length === 1 && only) return only;
  const best = new Map<number, Ranked>();
  for (const each of rankings.flatMap(ranking => ranking.best)) {
    const known = best.get(each.id);
    if (!known || isBetter(each, known)) best.set(each.id, each);
  }
  return { total: 0, best: [...best.values()].sort(byScore) };
}

/** A ranked record as it is returned. */
export function toHit(index: InvertedIndex, { id, score, reasons }: Ranked, rankNumber: number): SearchHit {
  const { record } = index.at(id) as IndexedRecord;
  return { ...record, rank: rankNumber, score, match_reasons: reasons() };
}
