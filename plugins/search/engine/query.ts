/** What a query asks for: its terms with their meanings, and what it names outright. Pure. */

import { compoundOf, foreignPhraseAt, joinedTranslationsOf, segmentsOf, translationsOf } from '../lexicon/languages.ts';
import { situationsIn } from '../lexicon/situations.ts';
import { isStopWord, isWeakWord } from '../lexicon/stop-words.ts';
import { phraseAt, type Sense, sensesOf } from '../lexicon/synonyms.ts';
import { hostsNamed } from './host-names.ts';
import { isContent, isTelling, type Needle, needlesOf } from './needles.ts';
import { stem } from './stems.ts';
import { fold, hasHangul, hasIdeographs, nameParts, rawRunsOf, runsOf, spell } from './tokens.ts';

export interface Term {
  readonly text: string;
  /** How much it counts beside the others. */
  readonly weight: number;
  /** Words that mean it, itself aside. */
  readonly senses: readonly Sense[];
}

export interface Query {
  /** The whole, spelled and trimmed. */
  readonly phrase: string;
  readonly terms: readonly Term[];
  /** Words between spaces, spelled: each may be the name of a tool. */
  readonly words: readonly string[];
  /** What its terms cannot promise to find. */
  readonly needles: readonly Needle[];
  /** Host types that it names. */
  readonly hosts: ReadonlySet<string>;
}

const most = { characters: 1000, terms: 24, phrases: 8 };
const weights = {
  term: 1,
  weak: 0.45,
  ofPhrase: 0.4,
  host: 0.5,
  translated: 0.85,
  further: 0.75,
  beside: 0.9,
  letter: 0.3,
  ofPair: 0.5,
  situation: 1.3,
  ofSituation: 0.6,
};

/** A word that says nothing, though it does without its accent: `fur`. */
const german = 'für';

/** What comes after these is not wanted. */
const deniers = new Set(['without', 'ohne', 'sans', 'sin', 'sem', 'senza', 'без']);

/** Reads a query; `hosts` are the host types of the index, folded. */
export function readQuery(text: string, hosts: Iterable<string>): Query {
  const cut = text.slice(0, most.characters);
  const phrase = spell(cut).trim();
  const words = phrase.split(' ').filter(Boolean);
  const raw = rawRunsOf(cut);
  const runs = (raw.length > 1 ? raw.filter(run => run.toLowerCase() !== german) : raw).flatMap(splitRun);
  const named = hostsNamed(runs, hosts);
  const content = runs.filter(isContent);
  const kept = content.length > 0 ? content : runs;

  const terms = new Map<string, Term>();
  const add = (word: string, weight: number, senses: readonly Sense[]): void => {
    const known = terms.get(word);
    if (known) terms.set(word, { ...known, senses: mergeSenses([...known.senses, ...senses]) });
    else terms.set(word, { text: word, weight, senses });
  };

  const inPhrase = new Set<number>();
  for (let at = 0; at < runs.length && terms.size < most.phrases; at += 1) {
    const found = phraseAt(runs, at);
    if (!found || inPhrase.has(at) || (found.places.length > 1 && named.words.has(runs[at] as string))) continue;
    add(found.phrase.replaceAll(' ', ''), weights.term, sensesOf(found.phrase));
    for (const place of found.places) inPhrase.add(place);
  }

  const telling = runs.flatMap((run, at) => (isStopWord(run) || named.words.has(run) ? [] : [at]));
  const tellingRuns = telling.map(at => runs[at] as string);
  for (let at = 0; at < telling.length && terms.size < most.phrases; at += 1) {
    const found = foreignPhraseAt(tellingRuns, at);
    if (!found) continue;
    add(tellingRuns.slice(at, at + found.length).join(''), weights.term, inEnglish(found.english));
    for (const pair of found.english.filter(each => each.includes('_')))
      for (const word of pair.split('_')) add(word, weights.ofPair, sensesOf(word));
    for (let inner = at; inner < at + found.length; inner += 1) inPhrase.add(telling[inner] as number);
  }

  const forms = runs.slice(0, most.terms).map(run => (named.words.has(run) ? [] : stemsOf(run)));
  for (const [at, words] of situationsIn(forms).entries())
    add(
      `situation ${at}`,
      weights.situation,
      words.map(word => ({ word, weight: weights.ofSituation })),
    );

  const chosen = new Set([...new Set(kept)].slice(0, most.terms));

  runs.forEach((run, at) => {
    if (!chosen.has(run)) return;
    const before = runs[at - 1];
    const after = runs[at + 1];
    const neighbours = [before && `${before}${run}`, after && `${run}${after}`].filter(each => each !== undefined);
    const meanings = named.words.has(run)
      ? []
      : mergeSenses([
          ...meaningsOf(run),
          ...neighbours.flatMap(word => [
            { word: word as string, weight: weights.beside },
            ...joinedTranslationsOf(word as string).map(each => ({ word: each, weight: weights.translated })),
          ]),
        ]);
    const denied = before !== undefined && deniers.has(before);
    add(run, denied ? weights.weak : weightOf(run, inPhrase.has(at), named.words.has(run)), meanings);
    if (named.words.has(run)) return;
    // A word that is two in English asks for both: a clipping mask is neither any mask nor any clip.
    for (const pair of translationsOf(run).filter(each => each.includes('_')))
      for (const word of pair.split('_')) add(word, weights.ofPair, sensesOf(word));
  });

  return {
    phrase,
    terms: [...terms.values()],
    words,
    needles: needlesOf(phrase, words, [...chosen].some(isTelling)),
    hosts: named.hosts,
  };
}

function weightOf(run: string, inPhrase: boolean, host: boolean): number {
  if (host) return weights.host;
  if (inPhrase) return weights.ofPhrase;
  if (run.length === 1 && !hasIdeographs(run)) return weights.letter;
  return isWeakWord(run) ? weights.weak : weights.term;
}

/** What a word may be in a situation: itself, or what it is in English. */
const stemsOf = (run: string): string[] =>
  isStopWord(run)
    ? [stem(run)]
    : [
        stem(run),
        ...translationsOf(run)
          .filter(each => !each.includes('_'))
          .map(stem),
      ];

/** Words of a run: parts of an identifier, words of a text without spaces; the run itself where they would lose it. */
function splitRun(run: string): string[] {
  const whole = fold(run);
  if (hasIdeographs(whole) || hasHangul(whole)) {
    const segments = segmentsOf(whole);
    const telling = segments.filter(each => each.length > 1 || translationsOf(each).length > 0);
    return telling.length > 0 ? telling : [whole];
  }
  const parts = nameParts(run);
  if (parts.length < 2) return runsOf(whole);
  const long = parts.filter(part => part.length > 1);
  const enough = long.length === parts.length && !long.every(isStopWord);
  return enough ? parts : [whole, ...long];
}

/** Other words for one: synonyms, translations, and the synonyms of those. */
export function meaningsOf(run: string): Sense[] {
  const english = [run, ...compoundOf(run)].flatMap(word => translationsOf(word));
  return mergeSenses([...sensesOf(run), ...inEnglish(english)]);
}

/** Translations with their synonyms. */
function inEnglish(english: readonly string[]): Sense[] {
  const found: Sense[] = [];
  for (const each of english) {
    const word = each.replaceAll('_', ' ');
    if (word === each) found.push({ word, weight: weights.translated });
    for (const sense of sensesOf(word)) found.push({ word: sense.word, weight: sense.weight * weights.further });
  }
  return mergeSenses(found);
}

function mergeSenses(senses: readonly Sense[]): Sense[] {
  const best = new Map<string, number>();
  for (const { word, weight } of senses) best.set(word, Math.max(best.get(word) ?? 0, weight));
  return [...best].map(([word, weight]) => ({ word, weight }));
}
