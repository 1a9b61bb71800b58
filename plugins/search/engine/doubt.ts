/** Whether a query is one that seldom finds what was meant. Pure. */
import type { Doubt } from '../api.ts';
import { isStopWord } from '../lexicon/stop-words.ts';
import { runsOf, spell } from './tokens.ts';

/** More words than this are a sentence; so are fewer, when enough of them say nothing about a tool. */
const sentence = { words: 6, least: 4, idle: 2 };
/** Below this score even the best hit is more likely wrong than right. */
const poor = 300;

/** `best` is the score of the best hit; 0 without one. */
export function doubtOf(query: string, best: number): Doubt | undefined {
  const words = runsOf(spell(query));
  if (words.length === 0 || best >= 2000) return undefined;
  const idle = words.filter(isStopWord).length;
  if (words.length > sentence.words || (words.length >= sentence.least && idle >= sentence.idle)) return 'sentence';
  return best < poor ? 'poor' : undefined;
}
