/** Reads from the gateway for a panel: loading, failed with a sentence, or there. Read anew when the gateway starts again. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask } from '../shell/api.ts';
import { generation } from '../shell/live.ts';

export interface Query<T> {
  /** Of the last read that went well, also while the next is on its way. */
  data: T | undefined;
  error: Error | undefined;
  loading: boolean;
  reload(): void;
}

const restMs = 200;

/** A text that has not changed for a moment: a letter of a search is no question yet. */
export function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(settle, restMs, text);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** `path` undefined reads nothing. What was read of a path that is `like` it stays until the answer is there. */
export function useQuery<T>(path: string | undefined, body?: unknown, like = path): Query<T> {
  const [state, set] = useState<{ like?: string | undefined; data?: T; error?: Error; loading: boolean }>({
    loading: path !== undefined,
  });
  const [round, next] = useState(0);
  const key = body === undefined ? '' : JSON.stringify(body);
  const known = generation.value;
  useEffect(() => {
    if (path === undefined) return set({ loading: false });
    const gone = new AbortController();
    set(({ data, like: before }) => ({ like, loading: true, ...(before === like && data !== undefined && { data }) }));
    const asked = { signal: gone.signal, ...(key && { method: 'POST', body: JSON.parse(key) as unknown }) };
    ask<T>(path, asked).then(
      data => !gone.signal.aborted && set({ like, data, loading: false }),
      (error: Error) => !gone.signal.aborted && set(before => ({ ...before, error, loading: false })),
    );
    return () => gone.abort();
  }, [path, key, round, known]);
  const reload = useCallback(() => next(each => each + 1), []);
  return { data: state.data, error: state.error, loading: state.loading, reload };
}
