/** Logs: what the gateway logs, as it does. */

import { matches } from '../../../../../schemas/search-words.ts';
import { Drawer } from '../../parts/drawer.tsx';
import { FilterBar, Search, Select } from '../../parts/filters.tsx';
import { number, when } from '../../parts/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import { useMerged } from '../../parts/merged.ts';
import { useQuery } from '../../parts/query.ts';
import { Badge, Code } from '../../parts/small.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { logs as live } from '../../shell/live.ts';
import type { Panel } from '../../shell/panel.ts';
import type { LogRow } from '../../shell/rows.ts';
import { param, setParams } from '../../shell/url.ts';

const columns: readonly Column<LogRow>[] = [
  { title: 'When', width: 'minmax(60px, 112px)', cell: row => when(row.timestamp) },
  { title: 'Level', width: '64px', cell: row => <Badge>{row.level}</Badge> },
  { title: 'Of', width: '110px', wide: true, cell: row => row.source },
  { title: 'Message', width: 'minmax(160px, 1fr)', cell: row => <span title={row.message}>{row.message}</span> },
];

const ranks = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
/** Stands in the address, too. */
const keyOf = (row: LogRow): string => `${row.timestamp} ${row.source} ${row.message.slice(0, 80)}`;

function View() {
  const query = useQuery<{ logs: LogRow[] }>('logs?limit=1000');
  const all = useMerged(live.value, query.data?.logs, keyOf);
  const [q, level, opened] = [param('q'), param('level'), param('line')];
  const rows = all.filter(
    each =>
      (level === '' || ranks.indexOf(each.level) >= ranks.indexOf(level)) &&
      matches(q, each.message, each.source, each.level),
  );
  const row = rows.find(each => keyOf(each) === opened);
  return (
    <>
      <FilterBar known={query.data !== undefined} note={`${number(rows.length)} of ${number(all.length)} lines`}>
        <Search label="Search the log" />
        <Select
          name="level"
          label="Level"
          options={{ '': 'All levels', info: 'Info and worse', warn: 'Warnings and worse', error: 'Errors' }}
        />
      </FilterBar>
      <ListPanel
        what="the log"
        query={query}
        isEmpty={rows.length === 0}
        empty={
          <Empty title={all.length === 0 ? 'The gateway has logged nothing' : 'No line is like that'}>
            {all.length === 0 && (
              <>
                Start it with <code>--log-level info</code> or <code>debug</code> to see more.
              </>
            )}
          </Empty>
        }
        detail={
          row && (
            <Drawer key={opened} label="Line of the log" title={row.source} onClose={() => setParams({ line: '' })}>
              <div class="row">
                <Badge>{row.level}</Badge>
                <span class="muted">{when(row.timestamp)}</span>
              </div>
              <p>{row.message}</p>
              <Code label="Details" text={JSON.stringify(row.detail, null, 2)} />
            </Drawer>
          )
        }
      >
        <Table
          label="Log"
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          selected={opened}
          onOpen={each => setParams({ line: keyOf(each) })}
        />
      </ListPanel>
    </>
  );
}

export const logs: Panel = {
  ...{ name: 'logs', title: 'Logs', group: 'Observe', View },
  icon: 'M3 2.5h10v11H3zM5.5 6h5M5.5 8.5h5M5.5 11h3',
  about: 'What the gateway logs, as it does.',
};
