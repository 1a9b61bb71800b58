/** What is made of texts that come again and again, once. */

const most = 1000;
/** Whoever sends texts makes some of them up, as many and as long as they like. */
const longestKey = 2000;

/** A function that gives what `make` gives, and makes it once of what has the same key, while it is remembered. */
export function rememberedBy<Given, T>(
  keyOf: (given: Given) => string,
  make: (given: Given) => T,
): (given: Given) => T {
  const known = new Map<string, T>();
  return given => {
    const key = keyOf(given);
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(given);
    // All at once: to keep the newest in order takes longer than to make some again.
    if (known.size >= most) known.clear();
    if (key.length <= longestKey) known.set(key, made);
    return made;
  };
}

/** The same of texts. */
export const remembered = <T>(make: (text: string) => T): ((text: string) => T) => rememberedBy(text => text, make);
