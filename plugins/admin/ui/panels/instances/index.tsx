/** Instances: every host that the gateway knows, with what it has open, and why one is not ready. */
import { useMemo } from 'preact/hooks';
import { matches } from '../../../../../schemas/search-words.ts';
import { FilterBar, Search, Select } from '../../parts/filters.tsx';
import { number } from '../../parts/format.ts';
import { Badge } from '../../parts/small.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { unreachable } from '../../shell/api.ts';
import { connection, instances as known } from '../../shell/live.ts';
import type { Panel } from '../../shell/panel.ts';
import type { InstanceRow } from '../../shell/rows.ts';
import { param, setParams } from '../../shell/url.ts';
import { InstanceDetail, InstanceGone } from './detail.tsx';
import { statusOf, troubleOf } from './trouble.ts';

const columns: readonly Column<InstanceRow>[] = [
  { title: 'Status', width: '104px', cell: row => <Badge>{statusOf(row)}</Badge> },
  { title: 'Host', width: 'minmax(90px, 1fr)', cell: row => nameOf(row) },
  { title: 'Scene', width: 'minmax(60px, 1.6fr)', cell: row => row.scene ?? <span class="muted">none</span> },
  { title: 'Docs', width: '48px', wide: true, align: 'end', cell: row => row.documents.length },
  { title: 'Host version', width: '92px', wide: true, cell: row => row.version ?? '–' },
  { title: 'Adapter', width: '80px', wide: true, cell: row => row.adapter_version ?? '–' },
  { title: 'Id', width: '84px', mono: true, cell: row => row.instance_short },
  {
    title: 'Not ready because',
    width: 'minmax(120px, 2fr)',
    wide: true,
    cell: row => <span class="muted">{troubleOf(row) ?? ''}</span>,
  },
];

const nameOf = ({ display_name, dcc_type }: InstanceRow): string =>
  display_name && display_name !== dcc_type ? `${dcc_type} · ${display_name}` : dcc_type;

function View() {
  const all = useMemo(
    () => [...known.value.values()].sort((a, b) => a.dcc_type.localeCompare(b.dcc_type) || order(a, b)),
    [known.value],
  );
  const [q, status, id] = [param('q'), param('status'), param('instance')];
  // Those that ended without a word are kept for who asks why.
  const listed = all.filter(each => (each.dead === true) === (status === 'ended'));
  const rows = listed.filter(
    each =>
      (!['ready', 'trouble'].includes(status) || (status === 'ready') === (troubleOf(each) === undefined)) &&
      matches(q, each.dcc_type, each.display_name, each.scene, each.instance_id, each.status, ...each.documents),
  );
  const opened = known.value.get(id);
  return (
    <>
      <FilterBar known={connection.value !== 'connecting'} note={`${number(rows.length)} of ${number(listed.length)}`}>
        <Search label="Search instances" />
        <Select
          name="status"
          label="Which"
          options={{ '': 'All that run', ready: 'Ready', trouble: 'Not ready', ended: 'Ended without a word' }}
        />
      </FilterBar>
      <div class="split">
        <div class="list">
          {rows.length > 0 ? (
            <Table
              label="Instances"
              columns={columns}
              rows={rows}
              keyOf={each => each.instance_id}
              selected={id}
              onOpen={({ instance_id }) => setParams({ instance: instance_id })}
            />
          ) : connection.value === 'connecting' ? (
            <Loading what="instances" />
          ) : connection.value === 'lost' && all.length === 0 ? (
            <Failed error={unreachable()} />
          ) : status !== '' || listed.length > 0 ? (
            <Empty title="No instance is like that">
              <button type="button" onClick={() => setParams({ q: '', status: '' })}>
                Show all
              </button>
            </Empty>
          ) : (
            <Empty title="No instance has registered">
              Start a host with an adapter on this machine, or a server with <code>svc-server serve</code>: it registers
              by itself and stands here within a second.
            </Empty>
          )}
        </div>
        {opened ? (
          <InstanceDetail row={opened} onClose={() => setParams({ instance: '' })} />
        ) : (
          id !== '' && connection.value === 'live' && <InstanceGone id={id} />
        )}
      </div>
    </>
  );
}

const order = (a: InstanceRow, b: InstanceRow): number => a.instance_id.localeCompare(b.instance_id);

export const instances: Panel = {
  ...{ name: 'instances', title: 'Instances', group: 'Observe', View },
  icon: 'M2 3h12v4H2zM2 9h12v4H2zM4.5 5h.01M4.5 11h.01',
  about: 'Every host that the gateway knows, and why one is not ready.',
};
