/** A list with its states, and the detail of the open row beside it. */
import type { ComponentChildren } from 'preact';
import { Failed, Loading } from './states.tsx';

interface ListProps {
  /** What is listed. */
  what: string;
  query: { data: unknown; error: Error | undefined; loading: boolean; reload(): void };
  empty: ComponentChildren;
  isEmpty: boolean;
  children: ComponentChildren;
  detail?: ComponentChildren;
}

export function ListPanel({ what, query, empty, isEmpty, children, detail }: ListProps) {
  const { data, error, loading, reload } = query;
  const failed = error && data === undefined;
  return (
    <div class="split">
      <div class="list">
        {!isEmpty ? (
          children
        ) : failed ? (
          <Failed error={error} retry={reload} />
        ) : loading ? (
          <Loading what={what} />
        ) : (
          empty
        )}
      </div>
      {detail}
    </div>
  );
}
