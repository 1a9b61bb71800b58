/** What a query asks for: its terms with their meanings, and what it names outright. Pure. */
import type { Lexicon } from '../lexicon/lexicon.ts';
import { isStopWord, isWeakWord } from '../lexicon/stop-words.ts';
import type { Sense } from '../lexicon/synonyms.ts';
import { hostsNamed } from './host-names.ts';
import { isContent, isTelling, type Needle, needlesOf } from './needles.ts';
import { fold, hasHangul, hasIdeographs, nameParts, rawRunsOf, runsOf, spell } from './tokens.ts';

export interface Term {
  readonly text: string;
  /** How much it counts beside the others. */
  readonly weight: number;
  /** Words that mean it, itself aside. */
  readonly senses: readonly Sense[];
  /** Itself and a neighbour, written as one. */
  readonly joined: readonly string[];
}

export interface Query {
  /** The whole, spelled and trimmed. */
  readonly phrase: string;
  readonly terms: readonly Term[];
  /** Words that say something, or all of them. */
  readonly telling: readonly string[];
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
  letter: 0.3,
  ofPair: 0.5,
};

/** A word that says nothing, though it does without its accent: `fur`. */
const german = 'für';

/** What comes after these is not wanted. */
const deniers = new Set(['without', 'ohne', 'sans', 'sin', 'sem', 'senza', 'без']);

/** Reads a query; `hosts` are the host types of the index, folded. */
export function readQuery(text: string, hosts: Iterable<string>, lexicon: Lexicon): Query {
  const cut = text.slice(0, most.characters);
  const phrase = spell(cut).trim();
  const words = phrase.split(' ').filter(Boolean);
  const raw = rawRunsOf(cut);
  const runs = (raw.length > 1 ? raw.filter(run => run.toLowerCase() !== german) : raw).flatMap(run =>
    splitRun(run, lexicon),
  );
  const named = hostsNamed(runs, hosts);
  const content = runs.filter(isContent);
  const terms = createTerms(lexicon);
  const inPhrase = addPhrases(runs, named.words, terms, lexicon);
  const chosen = new Set([...new Set(content.length > 0 ? content : runs)].slice(0, most.terms));

  runs.forEach((run, at) => {
    if (!chosen.has(run)) return;
    const isHost = named.words.has(run);
    const [before, after] = [runs[at - 1], runs[at + 1]];
    const denied = before !== undefined && deniers.has(before);
    const weight = denied ? weights.weak : weightOf(run, inPhrase.has(at), isHost);
    if (isHost) {
      terms.add(run, weight, []);
      return;
    }
    const joined = [before && `${before}${run}`, after && `${run}${after}`].filter(each => each !== undefined);
    const meant = joined.flatMap(lexicon.joinedTranslationsOf).map(word => ({ word, weight: weights.translated }));
    terms.add(run, weight, mergeSenses([...meaningsOf(run, lexicon), ...meant]), joined);
    terms.addPairs(lexicon.translationsOf(run));
  });

  return {
    ...{ phrase, words, terms: terms.list(), telling: [...chosen] },
    needles: needlesOf(phrase, words, [...chosen].some(isTelling)),
    hosts: named.hosts,
  };
}

function createTerms(lexicon: Lexicon) {
  const terms = new Map<string, Term>();
  const add = (text: string, weight: number, senses: readonly Sense[], joined: readonly string[] = []): void => {
    const known = terms.get(text);
    if (!known) terms.set(text, { text, weight, senses, joined });
    else {
      const all = new Set([...known.joined, ...joined]);
      terms.set(text, { ...known, senses: mergeSenses([...known.senses, ...senses]), joined: [...all] });
    }
  };
  return {
    add,
    /** A word that is two in English asks for both: a clipping mask is neither any mask nor any clip. */
    addPairs(english: readonly string[]) {
      for (const word of english.filter(each => each.includes('_')).flatMap(each => each.split('_')))
        add(word, weights.ofPair, lexicon.sensesOf(word));
    },
    size: () => terms.size,
    list: () => [...terms.values()],
  };
}

/** Adds the phrases that the lexicon knows as terms of their own; tells which words stand in one. */
function addPhrases(
  runs: readonly string[],
  hosts: ReadonlySet<string>,
  terms: ReturnType<typeof createTerms>,
  lexicon: Lexicon,
): Set<number> {
  const inside = new Set<number>();
  for (let at = 0; at < runs.length && terms.size() < most.phrases; at += 1) {
    const found = lexicon.phraseAt(runs, at);
    if (!found || inside.has(at) || hosts.has(runs[at] as string)) continue;
    terms.add(found.phrase.replaceAll(' ', ''), weights.term, lexicon.sensesOf(found.phrase));
    for (const place of found.places) inside.add(place);
  }
  const places = runs.flatMap((run, at) => (isStopWord(run) || hosts.has(run) ? [] : [at]));
  const telling = places.map(at => runs[at] as string);
  for (let at = 0; at < telling.length && terms.size() < most.phrases; at += 1) {
    const found = lexicon.foreignPhraseAt(telling, at);
    if (!found) continue;
    terms.add(telling.slice(at, at + found.length).join(''), weights.term, inEnglish(found.english, lexicon));
    terms.addPairs(found.english);
    for (let inner = at; inner < at + found.length; inner += 1) inside.add(places[inner] as number);
  }
  return inside;
}

function weightOf(run: string, inPhrase: boolean, host: boolean): number {
  if (host) return weights.host;
  if (inPhrase) return weights.ofPhrase;
  if (run.length === 1 && !hasIdeographs(run)) return weights.letter;
  return isWeakWord(run) ? weights.weak : weights.term;
}

/** Words of a run: parts of an identifier, words of a text without spaces; the run itself where they would lose it. */
function splitRun(run: string, { segmentsOf, translationsOf }: Lexicon): readonly string[] {
  const whole = fold(run);
  if (hasIdeographs(whole) || hasHangul(whole)) {
    const telling = segmentsOf(whole).filter(each => each.length > 1 || translationsOf(each).length > 0);
    return telling.length > 0 ? telling : [whole];
  }
  const parts = nameParts(run);
  if (parts.length < 2) return runsOf(whole);
  const long = parts.filter(part => part.length > 1);
  const enough = long.length === parts.length && !long.every(isStopWord);
  return enough ? parts : [whole, ...long];
}

/** Other words for one: synonyms, translations, and the synonyms of those. */
export function meaningsOf(run: string, lexicon: Lexicon): Sense[] {
  const english = [run, ...lexicon.compoundOf(run)].flatMap(word => lexicon.translationsOf(word));
  return mergeSenses([...lexicon.sensesOf(run), ...inEnglish(english, lexicon)]);
}

/** Translations with their synonyms. */
function inEnglish(english: readonly string[], { sensesOf }: Lexicon): Sense[] {
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
