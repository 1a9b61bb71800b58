/** Traces: calls by where they spent their time. */
import { useEffect, useRef } from 'preact/hooks';
import { FilterBar, Search, Select } from '../../parts/filters.tsx';
import { bytes, ms, number, toolName, when } from '../../parts/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import { usePages } from '../../parts/pages.ts';
import { Badge } from '../../parts/small.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { TraceDrawer } from '../../parts/trace.tsx';
import { counted } from '../../shell/live.ts';
import type { Panel } from '../../shell/panel.ts';
import { linkTo, param, setParams } from '../../shell/url.ts';

interface TraceShort {
  request_id: string;
  trace_id: string;
  tool: string;
  dcc_type?: string;
  started_at: string;
  total_ms: number;
  ok: boolean;
  span_count: number;
  slowest_span_name: string;
  slowest_span_ms: number;
  input_bytes: number;
  output_bytes: number;
}

const columns: readonly Column<TraceShort>[] = [
  { title: 'Began', width: 'minmax(60px, 108px)', cell: row => when(row.started_at) },
  {
    title: 'Outcome',
    width: 'minmax(54px, 64px)',
    cell: row => <Badge tone={row.ok ? 'ok' : 'bad'}>{row.ok ? 'ok' : 'failed'}</Badge>,
  },
  { title: 'Tool', width: 'minmax(110px, 2fr)', mono: true, cell: row => toolName(row.tool) },
  { title: 'Host', width: 'minmax(70px, 1fr)', wide: true, cell: row => row.dcc_type ?? '–' },
  { title: 'Took', width: '72px', align: 'end', cell: row => ms(row.total_ms) },
  {
    title: 'Most of it in',
    width: 'minmax(110px, 1fr)',
    wide: true,
    cell: row => `${row.slowest_span_name} ${ms(row.slowest_span_ms)}`,
  },
  { title: 'In', width: '76px', wide: true, align: 'end', cell: row => bytes(row.input_bytes) },
  { title: 'Out', width: '76px', wide: true, align: 'end', cell: row => bytes(row.output_bytes) },
];

/** A list that is open is read anew when there are new calls, not more often than this. */
const againMs = 2000;

/** Who has read on is left alone. */
function useReadAgain(reload: (() => void) | undefined): void {
  const { calls } = counted.value;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    // The first of many starts the time.
    if (calls === 0 || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      latest.current?.();
    }, againMs);
  }, [calls]);
  useEffect(() => () => clearTimeout(timer.current), []);
}

function View() {
  const [q, status, sort, opened] = [param('q'), param('status'), param('sort'), param('trace')];
  const range = param('range') || '24h';
  const outcome = status === '' ? '' : `&success=${status === 'ok'}`;
  const pages = usePages<TraceShort>(
    `traces?limit=500&range=${encodeURIComponent(range)}${outcome}${sort === 'slow' ? '&order=slowest' : ''}`,
    q,
    page => (page as unknown as { traces: TraceShort[] }).traces,
  );
  useReadAgain(pages.grown ? undefined : pages.reload);
  const rows = pages.rows ?? [];
  return (
    <>
      <FilterBar known={pages.data !== undefined} note={`${number(rows.length)} listed of ${number(pages.total ?? 0)}`}>
        <Search label="Search traces by tool, request or trace id" />
        <Select name="status" label="Outcome" options={{ '': 'All outcomes', ok: 'Succeeded', failed: 'Failed' }} />
        <Select name="sort" label="Order" options={{ '': 'Newest first', slow: 'Slowest first' }} />
        <Select
          name="range"
          label="Time"
          options={{
            '': 'Last 24 hours',
            '15m': 'Last 15 minutes',
            '1h': 'Last hour',
            '7d': 'Last 7 days',
            all: 'All',
          }}
        />
      </FilterBar>
      <ListPanel
        what="traces"
        query={pages}
        isEmpty={rows.length === 0}
        empty={
          <Empty title="No trace is like that">
            Traces are kept of every call. Widen the time, or <a href={linkTo('tools')}>call a tool</a>.
          </Empty>
        }
        detail={opened && <TraceDrawer id={opened} onClose={() => setParams({ trace: '' })} />}
      >
        <Table
          label="Traces"
          columns={columns}
          rows={rows}
          keyOf={each => `${each.request_id} ${each.started_at}`}
          selected={
            rows.filter(each => each.request_id === opened).map(each => `${each.request_id} ${each.started_at}`)[0]
          }
          onOpen={row => setParams({ trace: row.request_id })}
          onEnd={pages.loadMore}
        />
      </ListPanel>
    </>
  );
}

export const traces: Panel = {
  ...{ name: 'traces', title: 'Traces', group: 'Observe', View },
  icon: 'M2 3h8M4 7h9M6 11h5M9 14.5h4',
  about: 'Calls by where they spent their time, from client to skill.',
};
