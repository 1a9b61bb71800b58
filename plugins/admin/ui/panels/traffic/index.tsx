/** Traffic: what went over the wire for each call, leg by leg, with what was left out marked. */

import { matches } from '../../../../../schemas/search-words.ts';
import { Drawer } from '../../parts/drawer.tsx';
import { FilterBar, Search, Select } from '../../parts/filters.tsx';
import { bytes, number, when } from '../../parts/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import { useMerged } from '../../parts/merged.ts';
import { useQuery } from '../../parts/query.ts';
import { Save } from '../../parts/save.tsx';
import { Badge, Code } from '../../parts/small.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { traffic as live } from '../../shell/live.ts';
import type { Panel } from '../../shell/panel.ts';
import type { TrafficRow } from '../../shell/rows.ts';
import { linkTo, param, setParams } from '../../shell/url.ts';

interface Told {
  frames: {
    event: { number: number; timestamp_ns: number; correlation: Partial<TrafficRow> };
    attributes: Omit<TrafficRow, 'number' | 'timestamp_ns'>;
  }[];
  capture_status: { message: string; live_sink_enabled: boolean };
}

const legs: Readonly<Record<string, string>> = {
  client_to_gateway: 'Client → gateway',
  gateway_to_adapter: 'Gateway → adapter',
  adapter_to_gateway: 'Adapter → gateway',
  gateway_to_client: 'Gateway → client',
};

const columns: readonly Column<TrafficRow>[] = [
  { title: 'When', width: 'minmax(60px, 84px)', cell: row => when(row.timestamp_ns / 1e6) },
  { title: 'Leg', width: 'minmax(116px, 150px)', cell: row => legs[row.leg] ?? row.leg },
  { title: 'What', width: 'minmax(70px, 1fr)', mono: true, cell: row => row.mcp.method ?? row.mcp.kind },
  {
    title: 'To',
    width: 'minmax(80px, 1.4fr)',
    wide: true,
    mono: true,
    cell: row => `${row.http.method} ${row.http.url}`,
  },
  { title: 'Status', width: '54px', wide: true, align: 'end', cell: row => row.http.status ?? '' },
  { title: 'Size', width: '66px', align: 'end', cell: row => bytes(row.body.size_bytes) },
  {
    title: 'Left out',
    width: '64px',
    wide: true,
    align: 'end',
    cell: row => (row.body.redacted_paths.length > 0 ? row.body.redacted_paths.length : ''),
  },
  { title: 'Request', width: '100px', wide: true, mono: true, cell: row => row.request_id?.slice(0, 12) ?? '–' },
];

const rowOf = ({ event, attributes }: Told['frames'][number]): TrafficRow => ({
  ...{ number: event.number, timestamp_ns: event.timestamp_ns },
  ...event.correlation,
  ...attributes,
});
const keyOf = (row: TrafficRow): string => String(row.number);
const rowsOf = (told: Told | undefined): TrafficRow[] | undefined => told?.frames.map(rowOf);

function View() {
  const query = useQuery<Told>('traffic?limit=1000');
  const all = useMerged(live.value, rowsOf(query.data), keyOf);
  const [q, leg, opened] = [param('q'), param('leg'), param('capture')];
  const rows = all.filter(
    row =>
      (leg === '' || row.leg === leg) &&
      matches(q, row.mcp.method, row.http.url, row.request_id, row.trace_id, row.capture_id, row.dcc_type),
  );
  const status = query.data?.capture_status;
  const filters = new URLSearchParams([
    ...(leg && [['leg', leg]]),
    ...(q.trim() && [['search', q.trim()]]),
  ] as string[][]);
  return (
    <>
      <FilterBar known={query.data !== undefined} note={`${number(rows.length)} of ${number(all.length)} frames`}>
        <Search label="Search traffic by method, path or id" />
        <Select name="leg" label="Leg" options={{ '': 'All legs', ...legs }} />
        {status?.live_sink_enabled && (
          <Save path={`traffic/export?${filters}`} name="traffic.jsonl">
            Export
          </Save>
        )}
      </FilterBar>
      <ListPanel
        what="traffic"
        query={query}
        isEmpty={rows.length === 0}
        empty={
          status && !status.live_sink_enabled ? (
            <Off />
          ) : (
            <Empty title="No call has passed that fits">{status?.message}</Empty>
          )
        }
        detail={opened && <Capture id={opened} />}
      >
        <Table
          label="Traffic"
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          selected={rows.filter(each => each.capture_id === opened).map(keyOf)[0]}
          onOpen={row => setParams({ capture: row.capture_id })}
        />
      </ListPanel>
    </>
  );
}

const config = `# traffic.yaml
enabled: true
sinks:
  - kind: admin_live
    ring_buffer: 500
`;

function Off() {
  return (
    <Empty title="Traffic is not captured">
      <p>
        Write this file, and start the gateway with its path in SVC_TRAFFIC_CONFIG. Secrets are left out before anything
        is kept.
      </p>
      <Code label="Traffic configuration" text={config} />
    </Empty>
  );
}

/** All legs of one call with their bodies. */
function Capture({ id }: { id: string }) {
  const query = useQuery<Told>(`traffic?bodies=true&capture_id=${encodeURIComponent(id)}`);
  const frames = rowsOf(query.data)?.reverse();
  const request = frames?.[0]?.request_id;
  return (
    <Drawer
      key={id}
      label={`Traffic of one call`}
      title="One call, leg by leg"
      onClose={() => setParams({ capture: '' })}
    >
      {request && <a href={linkTo('calls', { call: request })}>The call in full</a>}
      {frames?.map(each => (
        <section key={each.number}>
          <h3>
            {legs[each.leg] ?? each.leg}, {bytes(each.body.size_bytes)}{' '}
            {each.http.status && <Badge tone="none">{`status ${each.http.status}`}</Badge>}
          </h3>
          {each.body.redacted_paths.length > 0 && (
            <p class="notice is-warn">Left out: {each.body.redacted_paths.join(', ')}</p>
          )}
          <Code label={legs[each.leg] ?? each.leg} text={JSON.stringify(each.body.data ?? null, null, 2)} />
        </section>
      ))}
      {!frames && (query.error ? <Failed error={query.error} retry={query.reload} /> : <Loading what="the bodies" />)}
      {frames?.length === 0 && <Empty title="Newer calls have taken its place in memory" />}
    </Drawer>
  );
}

export const traffic: Panel = {
  ...{ name: 'traffic', title: 'Traffic', group: 'Observe', View },
  icon: 'M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3',
  about: 'What went over the wire for each call, leg by leg.',
};
