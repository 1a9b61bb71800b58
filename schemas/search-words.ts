/** Search in lists: the same words find the same rows in the page and at the gateway. Pure. */

/** Whether any of the texts has all words of the search. */
export function matches(search: string, ...texts: (string | number | null | undefined)[]): boolean {
  if (search === '') return true;
  const all = texts.join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(each => all.includes(each));
}
