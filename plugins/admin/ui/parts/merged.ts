/** Rows that were read, and those that came since: newest first, each once. */
import { useMemo } from 'preact/hooks';

export function useMerged<Row>(
  live: readonly Row[],
  read: readonly Row[] | undefined,
  keyOf: (row: Row) => string,
): readonly Row[] {
  const known = useMemo(() => new Set(read?.map(keyOf)), [read]);
  return useMemo(() => (read ? [...live.filter(each => !known.has(keyOf(each))), ...read] : live), [live, read]);
}
