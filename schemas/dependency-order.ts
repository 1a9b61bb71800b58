/** Things by name, each after what it needs. Pure. */

/**
 * `names` and all that they need, otherwise in the order in which they are given. A circle, which begins and ends with the
 * same name, throws what `refuse` makes of it.
 */
export function dependencyOrder(
  names: Iterable<string>,
  needsOf: (name: string) => Iterable<string>,
  refuse: (circle: string) => Error,
): string[] {
  const ordered = new Set<string>();
  const path: string[] = [];
  const visit = (name: string): void => {
    if (ordered.has(name)) return;
    const begun = path.indexOf(name);
    if (begun >= 0) throw refuse([...path.slice(begun), name].join(' -> '));
    path.push(name);
    for (const needed of needsOf(name)) visit(needed);
    path.pop();
    ordered.add(name);
  };
  for (const name of names) visit(name);
  return [...ordered];
}
