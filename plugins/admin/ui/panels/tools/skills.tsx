/** Skills of every instance, with a way to load and unload each. */

import { matches } from '../../../../../schemas/search-words.ts';
import { FilterBar, InstanceChip, Search, Select } from '../../parts/filters.tsx';
import { number } from '../../parts/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import { useQuery } from '../../parts/query.ts';
import { Badge } from '../../parts/small.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { param } from '../../shell/url.ts';
import { Load } from './tool.tsx';

export interface Inventory {
  total: number;
  loaded: number;
  skills: Skill[];
  skipped: Skipped[];
  unread: { dcc_type: string; instance_short: string; reason: string }[];
}

interface Skill {
  name: string;
  summary: string;
  tool_count: number;
  status: string;
  loaded: boolean;
  version?: string;
  instance_id: string;
  instance_short: string;
  dcc_type: string;
}

export interface Skipped {
  skill_name: string;
  directory_name: string;
  reason_code: string;
  message: string;
  suggested_fix: string;
  instance_short: string;
  dcc_type: string;
}

const columnsOf = (reload: () => void): readonly Column<Skill>[] => [
  { title: 'Skill', width: 'minmax(100px, 1.2fr)', mono: true, cell: row => row.name },
  { title: 'What it is for', width: 'minmax(100px, 2.4fr)', wide: true, cell: row => row.summary },
  { title: 'Tools', width: '48px', wide: true, align: 'end', cell: row => row.tool_count },
  { title: 'Host', width: 'minmax(96px, 150px)', cell: row => `${row.dcc_type} ${row.instance_short}` },
  {
    title: 'State',
    width: '84px',
    cell: row => <Badge tone={row.loaded ? 'ok' : row.status === 'error' ? 'bad' : 'none'}>{row.status}</Badge>,
  },
  {
    title: 'Action',
    width: 'minmax(84px, 1fr)',
    cell: row => <Load skill={row.name} instance={row.instance_id} unload={row.loaded} done={reload} />,
  },
];

export function SkillList() {
  const query = useQuery<Inventory>('skills');
  const all = query.data?.skills ?? [];
  const [q, state, instance] = [param('q'), param('state'), param('instance')];
  const rows = all.filter(
    each =>
      (state === '' || each.loaded === (state === 'loaded')) &&
      (instance === '' || each.instance_id === instance) &&
      matches(q, each.name, each.summary, each.dcc_type, each.instance_short),
  );
  return (
    <>
      <FilterBar known={query.data !== undefined} note={`${number(rows.length)} of ${number(all.length)}`}>
        <Search label="Search skills" />
        <Select name="state" label="State" options={{ '': 'All', loaded: 'Loaded', unloaded: 'Not loaded' }} />
        <InstanceChip />
        {query.data?.unread.map(each => (
          <span key={each.instance_short} class="bad">
            {each.dcc_type} {each.instance_short}: {each.reason}
          </span>
        ))}
      </FilterBar>
      <ListPanel
        what="skills"
        query={query}
        isEmpty={rows.length === 0}
        empty={
          <Empty title={all.length === 0 ? 'No instance has a skill' : 'No skill is like that'}>
            Put skill packages into a folder and name it with <code>--skill-path</code>.
          </Empty>
        }
      >
        <Table
          label="Skills"
          columns={columnsOf(query.reload)}
          rows={rows}
          keyOf={each => `${each.name} ${each.instance_id}`}
        />
      </ListPanel>
    </>
  );
}
