/** Of sorted values the one below which a part of them is; null where there are none. Thousandths are kept. Pure. */
export function quantile(sorted: readonly number[], part: number): number | null {
  const value = sorted[Math.min(sorted.length, Math.ceil(part * sorted.length)) - 1];
  return value === undefined ? null : Math.round(value * 1000) / 1000;
}
