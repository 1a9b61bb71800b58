/** "Did you mean": the known name that a misspelt one was probably meant to be. Pure. */
import { distance } from 'fastest-levenshtein';

/** A third of the letters may be wrong; case and what stands between words do not count. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const squash = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = squash(name);
  let best: string | undefined;
  let least = Math.ceil(wanted.length / 3) + 1;
  for (const each of known) {
    const letters = squash(each);
    const begun = wanted.length > 3 && (letters.startsWith(wanted) || wanted.startsWith(letters));
    const wrong = letters === wanted ? 0 : begun ? 1 : distance(wanted, letters);
    if (wrong < least) [best, least] = [each, wrong];
  }
  return best;
}
