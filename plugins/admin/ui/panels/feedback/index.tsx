/** Feedback: findings that agents reported, and the line that takes each further. */

import { matches } from '../../../../../schemas/search-words.ts';
import { Drawer } from '../../parts/drawer.tsx';
import { FilterBar, Search, Select } from '../../parts/filters.tsx';
import { number, when } from '../../parts/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import { useQuery } from '../../parts/query.ts';
import { Badge } from '../../parts/small.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import type { Panel } from '../../shell/panel.ts';
import { param, setParams } from '../../shell/url.ts';
import { type Finding, FindingDetail } from './detail.tsx';

interface Listing {
  total: number;
  skipped_invalid: number;
  deduplicated: number;
  entries: Finding[];
}

const columns: readonly Column<Finding>[] = [
  { title: 'When', width: 'minmax(60px, 112px)', cell: row => when(row.timestamp * 1000) },
  { title: 'Severity', width: 'minmax(72px, 130px)', cell: row => <Badge>{row.severity ?? 'unknown'}</Badge> },
  { title: 'Host', width: '84px', wide: true, cell: row => row.dcc_type ?? '–' },
  {
    title: 'Tool',
    width: 'minmax(90px, 1fr)',
    wide: true,
    mono: true,
    cell: row => row.tool_slug ?? row.tool_name ?? '–',
  },
  { title: 'Phase', width: '92px', wide: true, cell: row => row.phase ?? '–' },
  { title: 'What happened', width: 'minmax(160px, 3fr)', cell: row => row.observed ?? row.blocker ?? '' },
];

const close = (): void => setParams({ finding: '' });

function View() {
  const [q, severity, dcc, opened] = [param('q'), param('severity'), param('dcc'), param('finding')];
  const range = param('range') || '7d';
  const asked = new URLSearchParams({ range, limit: '1000', ...(severity && { severity }), ...(dcc && { dcc }) });
  const query = useQuery<Listing>(`feedback?${asked}`);
  const all = query.data?.entries ?? [];
  const rows = all.filter(each =>
    matches(q, each.id, each.tool_slug, each.observed, each.intent, each.blocker, each.fingerprint, each.phase),
  );
  const found = all.find(each => each.id === opened);
  const { total = 0, skipped_invalid = 0, deduplicated = 0 } = query.data ?? {};
  const extra = [skipped_invalid && `${skipped_invalid} unreadable`, deduplicated && `${deduplicated} double`].filter(
    Boolean,
  );
  return (
    <>
      <FilterBar
        known={query.data !== undefined}
        note={[`${number(rows.length)} of ${number(total)}`, ...extra].join(', ')}
      >
        <Search label="Search findings" />
        <Select
          name="severity"
          label="Severity"
          options={{
            '': 'All severities',
            blocker: 'Blocker',
            degraded: 'Degraded',
            workaround_found: 'Workaround found',
            suggestion: 'Suggestion',
          }}
        />
        <Select
          name="range"
          label="Time"
          options={{ '': 'Last 7 days', '1h': 'Last hour', '24h': 'Last 24 hours', all: 'All' }}
        />
        <button type="button" onClick={query.reload}>
          Refresh
        </button>
      </FilterBar>
      <ListPanel
        what="findings"
        query={query}
        isEmpty={rows.length === 0}
        empty={
          <Empty title={total === 0 ? 'Nothing was reported in this time' : 'No finding is like that'}>
            Agents report with the tool <code>dcc_feedback__report</code> (setting <code>feedback_tool</code>), people
            with <code>svc-cli feedback</code>.
          </Empty>
        }
        detail={
          found ? (
            <FindingDetail finding={found} onClose={close} />
          ) : (
            opened &&
            query.data && (
              <Drawer key={opened} label={`Finding ${opened}`} title="Finding" onClose={close}>
                <Empty title="It is not among those listed">
                  <button type="button" onClick={() => setParams({ q: '', severity: '', dcc: '', range: 'all' })}>
                    Look at all times
                  </button>
                </Empty>
              </Drawer>
            )
          )
        }
      >
        <Table
          label="Findings"
          columns={columns}
          rows={rows}
          keyOf={each => each.id}
          selected={opened}
          onOpen={row => setParams({ finding: row.id })}
        />
      </ListPanel>
    </>
  );
}

export const feedback: Panel = {
  ...{ name: 'feedback', title: 'Feedback', group: 'Work', View },
  icon: 'M2 3h12v8H7l-3 3v-3H2z',
  about: 'What agents reported, and the next step for each.',
};
