/** A list of which more is read when its end comes into sight, and which is read as far again when it has changed. */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { Query } from './query.ts';

interface ReadOn<Page, Row, Next> {
  /** What is listed: two lists with the same text are one. */
  list: string;
  first: Query<Page>;
  rowsOf(page: Page): readonly Row[];
  /** Where to read on behind a page that ends at row `count`, if there is more. */
  nextOf(page: Page, count: number): Next | undefined;
  read(next: Next): Promise<Page>;
}

interface Reached<Page, Row, Next> {
  list: string;
  of: Page;
  rows: readonly Row[];
  next: Next | undefined;
}

/** `rows` is undefined until the first page is there; `grown`: more was read than that. */
export function useReadOn<Page, Row, Next>({ list, first, rowsOf, nextOf, read }: ReadOn<Page, Row, Next>) {
  const { data, loading } = first;
  const [reached, reach] = useState<Reached<Page, Row, Next>>();
  const [wanted, want] = useState({ list, rows: 0 });
  const begin = useMemo(
    () => (data === undefined ? undefined : { rows: rowsOf(data), next: nextOf(data, rowsOf(data).length) }),
    [data],
  );
  const current = reached?.of === data ? reached : begin;
  const isBehind = wanted.list === list && current && current.next !== undefined && current.rows.length < wanted.rows;
  // What was read before stays in sight until the changed list is read as far.
  const shown = isBehind && reached?.list === list ? reached : current;

  useEffect(() => {
    if (!isBehind || loading || data === undefined) return;
    let gone = false;
    const readOn = async (): Promise<void> => {
      let { rows, next } = current;
      while (next !== undefined && rows.length < wanted.rows && !gone) {
        const page = await read(next);
        rows = [...rows, ...rowsOf(page)];
        next = nextOf(page, rows.length);
      }
      if (!gone) reach({ list, of: data, rows, next });
    };
    // What was read stands; who comes to its end again asks again.
    readOn().catch(() => !gone && want({ list, rows: 0 }));
    return () => {
      gone = true;
    };
  }, [isBehind, loading, data, wanted]);

  const rows = shown?.rows;
  const count = rows?.length ?? 0;
  const isAll = shown?.next === undefined;
  const loadMore = useCallback(() => {
    if (isAll) return;
    want(before => (before.list === list && before.rows > count ? before : { list, rows: count + 1 }));
  }, [list, isAll, count]);
  return { rows, isAll, grown: shown !== begin, loadMore };
}
