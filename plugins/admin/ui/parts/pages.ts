/** A list that is read page by page: the first at once, more when its end comes into sight. */
import { useCallback, useMemo, useState } from 'preact/hooks';
import { ask } from '../shell/api.ts';
import { useQuery, useSettled } from './query.ts';

interface Page {
  total: number;
  next_cursor?: string;
}

/** `search` is asked of the gateway, once it is written. */
export function usePages<Row>(of: string, search: string, rowsOf: (page: Page) => readonly Row[]) {
  const words = useSettled(search.trim());
  const path = words === '' ? of : `${of}&search=${encodeURIComponent(words)}`;
  const first = useQuery<Page>(path, undefined, of);
  const [more, setMore] = useState<{ of: Page; rows: readonly Row[]; cursor?: string | undefined }>();
  const [busy, setBusy] = useState(false);
  const { data, loading } = first;
  const grown = data !== undefined && more?.of === data;
  const rows = useMemo(() => (grown ? more?.rows : data && rowsOf(data)), [grown, more, data]);
  const cursor = grown ? more?.cursor : data?.next_cursor;

  const loadMore = useCallback(() => {
    if (busy || loading || cursor === undefined || data === undefined) return;
    setBusy(true);
    ask<Page>(`${path}&cursor=${encodeURIComponent(cursor)}`).then(
      page => {
        setMore({ of: data, rows: [...(rows ?? []), ...rowsOf(page)], cursor: page.next_cursor });
        setBusy(false);
      },
      // The records may have been trimmed since: what was read stands.
      () => setBusy(false),
    );
  }, [path, rows, cursor, data, busy, loading]);
  /** `grown`: more was read than the first page. */
  return { ...first, rows, total: data?.total, loadMore, grown };
}
