/** The one limit of results (`max_result_bytes`), wherever a result becomes text. Pure. */

/** Most bytes that one UTF-16 unit of a text becomes. */
const widest = 3;

/**
 * How many bytes `text` has at least, when those are more than `most`. Counted only where its length leaves it open:
 * counting copies a text, and a worker may not have the memory for two.
 */
export function excessOf(text: string, most: number): number | undefined {
  if (text.length * widest <= most) return undefined;
  if (text.length > most) return text.length;
  const size = Buffer.byteLength(text);
  return size > most ? size : undefined;
}

/** What whoever made a result that is too large can do. */
export const smallerResult =
  'write it to a file and return its path, return it in parts, or raise max_result_bytes in the settings of the server';
