/** Versions of Python and what is asked of them (`>=3.10,<3.14`, `3.11`, `~=3.10`). Pure. */

const clause = /^(===|==|~=|!=|<=|>=|<|>)?\s*v?(\d+(?:\.\d+)*)(\.\*)?$/;

/** Whether `spec` speaks of versions; anything else is the name of an interpreter. */
export const isVersionSpec = (spec: string): boolean => clausesOf(spec).every(each => clause.test(each));

/** Whether a version is what every clause asks for. A version without an operator means each that begins so. */
export const satisfies = (version: string, spec: string): boolean =>
  clausesOf(spec).every(each => {
    const [, operator = '==', wanted = '', star] = clause.exec(each) ?? [];
    const open = star !== undefined || operator === '==';
    const order = compare(version, wanted);
    if (operator === '==' || operator === '===') return open ? begins(version, wanted) : order === 0;
    if (operator === '!=') return !begins(version, wanted);
    if (operator === '~=') return order >= 0 && begins(version, wanted.replace(/\.\d+$/, ''));
    if (operator === '>=') return order >= 0;
    if (operator === '<=') return order <= 0;
    return operator === '>' ? order > 0 : order < 0;
  });

const clausesOf = (spec: string): string[] =>
  spec
    .split(',')
    .map(each => each.trim())
    .filter(Boolean);

const begins = (version: string, wanted: string): boolean => `${version}.`.startsWith(`${wanted}.`);

function compare(one: string, other: string): number {
  const [left, right] = [one, other].map(each => each.split('.').map(Number)) as [number[], number[]];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
