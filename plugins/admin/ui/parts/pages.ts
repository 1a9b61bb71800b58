/** A list that is read page by page: the first at once, more when its end comes into sight. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask } from '../shell/api.ts';
import { useQuery } from './query.ts';

interface Page {
  total: number;
  next_cursor?: string;
}

export function usePages<Row>(path: string, rowsOf: (page: Page) => readonly Row[]) {
  const first = useQuery<Page>(path);
  const [more, setMore] = useState<{ of?: Page | undefined; rows: readonly Row[]; cursor?: string | undefined }>({
    rows: [],
  });
  const [busy, setBusy] = useState(false);
  const { data } = first;
  useEffect(() => setMore({ of: data, rows: data ? rowsOf(data) : [], cursor: data?.next_cursor }), [data]);

  const loadMore = useCallback(() => {
    if (busy || more.cursor === undefined) return;
    setBusy(true);
    ask<Page>(`${path}&cursor=${encodeURIComponent(more.cursor)}`).then(
      page => {
        setMore(before =>
          before.of === more.of
            ? { of: more.of, rows: [...before.rows, ...rowsOf(page)], cursor: page.next_cursor }
            : before,
        );
        setBusy(false);
      },
      // The records may have been trimmed since: what was read stands.
      () => setBusy(false),
    );
  }, [path, more, busy]);
  return { ...first, rows: data && more.of === data ? more.rows : undefined, total: data?.total, loadMore };
}
