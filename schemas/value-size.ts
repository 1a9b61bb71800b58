/** How much there is in a value that came from outside. Pure. */

/** How many values are in `value`, counted up to `limit`. */
export function valuesIn(value: unknown, limit: number): number {
  let count = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && count < limit) {
    const next = waiting.pop();
    count += 1;
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    if (inner.length >= limit) return limit;
    waiting.push(...inner);
  }
  return count;
}
