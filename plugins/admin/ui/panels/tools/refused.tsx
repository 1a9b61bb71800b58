/** Packages that an instance refused: why, and what puts each right. */
import { useQuery } from '../../parts/query.ts';
import { Badge } from '../../parts/small.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import type { Inventory, Skipped } from './skills.tsx';

export function RefusedList() {
  const { data, error, reload } = useQuery<Inventory>('skills');
  if (!data) return error ? <Failed error={error} retry={reload} /> : <Loading what="packages" />;
  const byName = new Map<string, Skipped[]>();
  for (const each of data.skipped) {
    const key = `${each.directory_name} ${each.reason_code}`;
    byName.set(key, [...(byName.get(key) ?? []), each]);
  }
  if (byName.size === 0)
    return <Empty title="No package was refused">Every package that was found can be loaded.</Empty>;
  return (
    <div class="body">
      {[...byName].map(([key, [first, ...others]]) =>
        first ? (
          <article key={key} class="card stack">
            <h2>
              <code>{first.directory_name}</code>
              <Badge tone="warn">{first.reason_code}</Badge>
              <span class="note">
                {[first, ...others].map(each => `${each.dcc_type} ${each.instance_short}`).join(', ')}
              </span>
            </h2>
            <p>{first.message}</p>
            <p class="notice">{first.suggested_fix}</p>
          </article>
        ) : null,
      )}
    </div>
  );
}
