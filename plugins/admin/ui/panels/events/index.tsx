/** Events: what the gateway noted of instances and of itself. */

import { matches } from '../../../../../schemas/search-words.ts';
import { Drawer } from '../../parts/drawer.tsx';
import { FilterBar, Search, Select } from '../../parts/filters.tsx';
import { number, pretty, when } from '../../parts/format.ts';
import { eventKey, reasonOf } from '../../parts/keys.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import { useMerged } from '../../parts/merged.ts';
import { useQuery } from '../../parts/query.ts';
import { Badge, Code, Facts, type Tone } from '../../parts/small.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { events as live } from '../../shell/live.ts';
import type { Panel } from '../../shell/panel.ts';
import type { EventRow } from '../../shell/rows.ts';
import { linkTo, param, setParams } from '../../shell/url.ts';

const bad: Readonly<Record<string, Tone>> = {
  ...{ ghost_reaped: 'warn', host_died: 'bad', auto_deregister: 'warn', stale: 'warn' },
  ...{ probe_unreachable: 'bad', probe_booting: 'warn', feedback_reported: 'info' },
};

const columns: readonly Column<EventRow>[] = [
  { title: 'When', width: 'minmax(60px, 112px)', cell: row => when(row.timestamp) },
  {
    title: 'Event',
    width: 'minmax(124px, 150px)',
    cell: row => <Badge tone={bad[row.event] ?? 'none'}>{row.event}</Badge>,
  },
  { title: 'Host', width: '92px', wide: true, cell: row => row.dcc_type },
  { title: 'Instance', width: '84px', wide: true, mono: true, cell: row => row.instance_id },
  { title: 'Why', width: 'minmax(120px, 1fr)', cell: row => <span title={row.reason}>{reasonOf(row)}</span> },
];

/** In the address: short. */
const placeOf = ({ timestamp, event, instance_id }: EventRow): string => `${timestamp} ${event} ${instance_id}`;

function View() {
  const query = useQuery<{ events: EventRow[] }>('events?limit=1000');
  const all = useMerged(live.value, query.data?.events, eventKey);
  const [q, kind] = [param('q'), param('kind')];
  const kinds = [...new Set(all.map(each => each.event))].sort();
  const rows = all.filter(
    each =>
      (kind === '' || each.event === kind) && matches(q, each.event, each.dcc_type, each.instance_id, each.reason),
  );
  const opened = param('event');
  const shown = all.find(each => placeOf(each) === opened);
  return (
    <>
      <FilterBar known={query.data !== undefined} note={`${number(rows.length)} of ${number(all.length)}`}>
        <Search label="Search events" />
        <Select
          name="kind"
          label="Kind"
          options={{ '': 'All kinds', ...Object.fromEntries(kinds.map(each => [each, each.replaceAll('_', ' ')])) }}
        />
      </FilterBar>
      <ListPanel
        what="events"
        query={query}
        isEmpty={rows.length === 0}
        empty={
          <Empty title={all.length === 0 ? 'Nothing has happened yet' : 'No event is like that'}>
            Instances that come and go, and findings that are reported, stand here.
          </Empty>
        }
        detail={shown && <EventDetail key={opened} row={shown} />}
      >
        <Table
          label="Events"
          columns={columns}
          rows={rows}
          keyOf={eventKey}
          selected={shown && eventKey(shown)}
          onOpen={row => setParams({ event: placeOf(row) })}
        />
      </ListPanel>
    </>
  );
}

function EventDetail({ row }: { row: EventRow }) {
  const { event, timestamp, dcc_type, instance_id, reason } = row;
  const told = reasonOf(row);
  return (
    <Drawer label="Event" title={event.replaceAll('_', ' ')} onClose={() => setParams({ event: '' })}>
      <div class="row">
        <Badge tone={bad[event] ?? 'none'}>{event}</Badge>
        <span class="muted">{when(timestamp)}</span>
        {event === 'feedback_reported' && <a href={linkTo('feedback')}>Findings</a>}
        <a href={linkTo('instances', { q: instance_id })}>The instance</a>
        <a href={linkTo('events', { q: instance_id })}>All of it</a>
      </div>
      <p>{told}</p>
      <Facts
        of={[
          ['Host', dcc_type],
          ['Instance', <code>{instance_id}</code>],
        ]}
      />
      {told !== reason && <Code label="Details" text={pretty(reason)} />}
    </Drawer>
  );
}

export const events: Panel = {
  ...{ name: 'events', title: 'Events', group: 'Observe', View },
  icon: 'M8 2v2M8 12v2M2 8h2M12 8h2M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  about: 'Who came and went, and why.',
};
