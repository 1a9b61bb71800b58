/** Which of two versions is newer. Pure. */

/**
 * Positive when `a` is newer; a pre-release is older than its release. Not semver's: adapters have versions of one to four
 * numbers, of which it compares three.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map(parts);
  for (let index = 0; index < 4; index += 1) {
    const difference = (left?.numbers[index] ?? 0) - (right?.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return (
    Number(right?.pre !== '') - Number(left?.pre !== '') ||
    (left?.pre ?? '').localeCompare(right?.pre ?? '', 'en', { numeric: true })
  );
}

function parts(version: string): { numbers: number[]; pre: string } {
  const [, core = '', pre = ''] = /^([\d.]+)(?:-([^+]+))?/.exec(version) ?? [];
  return { numbers: core.split('.').map(Number), pre };
}
