/** A list of the gateway that is read page by page. */
import { ask } from '../shell/api.ts';
import { useQuery, useSettled } from './query.ts';
import { useReadOn } from './read-on.ts';

interface Page {
  total: number;
  next_cursor?: string;
}

/** `search` is asked of the gateway, once it is written. */
export function usePages<Row>(of: string, search: string, rowsOf: (page: Page) => readonly Row[]) {
  const words = useSettled(search.trim());
  const path = words === '' ? of : `${of}&search=${encodeURIComponent(words)}`;
  const first = useQuery<Page>(path, undefined, of);
  const listed = useReadOn({
    ...{ list: path, first, rowsOf },
    nextOf: page => page.next_cursor,
    read: cursor => ask<Page>(`${path}&cursor=${encodeURIComponent(cursor)}`),
  });
  return { ...first, ...listed, total: first.data?.total };
}
