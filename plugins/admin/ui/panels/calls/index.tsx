/** Calls: every call through the gateway as it ends, and those before, with where each spent its time. */
import { signal } from '@preact/signals';
import { matches } from '../../../../../schemas/search-words.ts';
import type { CallRow } from '../../../frames.ts';
import { FilterBar, InstanceChip, Search, Select } from '../../parts/filters.tsx';
import { ms, number, toolName, when } from '../../parts/format.ts';
import { keyOf } from '../../parts/keys.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import { useMerged } from '../../parts/merged.ts';
import { usePages } from '../../parts/pages.ts';
import { Badge } from '../../parts/small.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { TraceDrawer } from '../../parts/trace.tsx';
import { counted, instances, calls as live } from '../../shell/live.ts';
import type { Panel } from '../../shell/panel.ts';
import { linkTo, param, setParams } from '../../shell/url.ts';

const columns: readonly Column<CallRow>[] = [
  { title: 'Ended', width: 'minmax(60px, 108px)', cell: row => when(row.timestamp) },
  {
    title: 'Outcome',
    width: 'minmax(54px, 64px)',
    cell: row => <Badge tone={row.success ? 'ok' : 'bad'}>{row.success ? 'ok' : 'failed'}</Badge>,
  },
  { title: 'Tool', width: 'minmax(110px, 1.6fr)', mono: true, cell: row => toolName(row.tool) },
  { title: 'Host', width: 'minmax(80px, 1fr)', wide: true, cell: row => hostOf(row) },
  { title: 'Agent', width: 'minmax(80px, 1fr)', wide: true, cell: row => row.agent_name ?? row.agent_id ?? '–' },
  { title: 'Door', width: '52px', wide: true, cell: row => row.transport ?? '–' },
  { title: 'Took', width: '72px', align: 'end', cell: row => ms(row.duration_ms) },
  {
    title: 'Error',
    width: 'minmax(100px, 2fr)',
    wide: true,
    cell: row => (row.success ? '' : <span class="bad">{row.error ?? row.error_kind}</span>),
  },
];

const textsOf = (row: CallRow) => [
  ...[row.tool, row.error, row.error_kind, row.agent_name, row.agent_id],
  ...[row.dcc_type, row.request_id, row.trace_id],
];

const hostOf = ({ dcc_type, instance_id }: CallRow): string =>
  [dcc_type, instance_id?.slice(0, 8)].filter(Boolean).join(' ') || '–';

/** What was on the screen when somebody stopped it. */
const held = signal<readonly CallRow[] | undefined>(undefined);

function View() {
  const [q, status, instance, dcc, opened] = ['q', 'status', 'instance', 'dcc', 'call'].map(param) as Five;
  const query = new URLSearchParams({ limit: '500' });
  if (status !== '') query.set('success', String(status === 'ok'));
  if (instance !== '') query.set('instance_id', instance);
  if (dcc !== '') query.set('dcc_type', dcc);
  const pages = usePages<CallRow>(`calls?${query}`, q, page => (page as unknown as { calls: CallRow[] }).calls);
  const merged = useMerged(held.value ?? live.value, pages.rows, keyOf);
  const rows = merged.filter(
    row =>
      (status === '' || row.success === (status === 'ok')) &&
      (instance === '' || row.instance_id === instance) &&
      (dcc === '' || row.dcc_type === dcc) &&
      matches(q, ...textsOf(row)),
  );
  const types = [...new Set([...instances.value.values()].map(each => each.dcc_type))].sort();
  const narrowed = [q, status, instance, dcc].some(Boolean);
  return (
    <>
      <FilterBar known={pages.data !== undefined} note={<Counts shown={rows.length} total={pages.total} />}>
        <Search label="Search calls by tool, error, agent or id" />
        <Select name="status" label="Outcome" options={{ '': 'All outcomes', ok: 'Succeeded', failed: 'Failed' }} />
        <Select
          name="dcc"
          label="Host type"
          options={{ '': 'All hosts', ...Object.fromEntries(types.map(each => [each, each])) }}
        />
        <button
          type="button"
          class="toggle"
          aria-pressed={held.value !== undefined}
          onClick={() => {
            held.value = held.value === undefined ? live.value : undefined;
          }}
        >
          {held.value === undefined ? 'Pause' : 'Paused'}
        </button>
        <InstanceChip />
      </FilterBar>
      <ListPanel
        what="calls"
        query={pages}
        isEmpty={rows.length === 0}
        empty={
          narrowed ? (
            <Empty title="No call is like that">
              <button type="button" onClick={() => setParams({ q: '', status: '', instance: '', dcc: '' })}>
                Show all
              </button>
            </Empty>
          ) : (
            <Empty title="No call has come through this gateway yet">
              <a href={linkTo('connect')}>Connect a client</a>, or <a href={linkTo('tools')}>call a tool yourself</a>:
              it stands here as soon as it has ended.
            </Empty>
          )
        }
        detail={opened && <TraceDrawer id={opened} onClose={() => setParams({ call: '' })} />}
      >
        <Table
          label="Calls"
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          selected={rows.find(each => each.request_id === opened) && keyOf(rows.find(isOpen(opened)) as CallRow)}
          onOpen={row => setParams({ call: row.request_id })}
          onEnd={pages.loadMore}
        />
      </ListPanel>
    </>
  );
}

type Five = [string, string, string, string, string];

const isOpen =
  (id: string) =>
  (row: CallRow): boolean =>
    row.request_id === id;

function Counts({ shown, total }: { shown: number; total: number | undefined }) {
  const { unsent } = counted.value;
  const more = unsent > 0 ? `, ${number(unsent)} were too quick to list` : '';
  const recorded = total !== undefined && total > shown ? ` of ${number(total)} recorded` : '';
  return <>{`${number(shown)} listed${recorded}${more}`}</>;
}

export const calls: Panel = {
  ...{ name: 'calls', title: 'Calls', group: 'Observe', View },
  icon: 'M2 4h9M8 1.5 11 4 8 6.5M14 12H5M8 9.5 5 12l3 2.5',
  about: 'Every call as it ends, and where it spent its time.',
};
