/** Jobs: what runs in the background at the instances, how far it is, and its end. */
import { useEffect, useState } from 'preact/hooks';
import { matches } from '../../../../../schemas/search-words.ts';
import { FilterBar, InstanceChip, Search, Select } from '../../parts/filters.tsx';
import { ms, number, toolName, when } from '../../parts/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import { useQuery } from '../../parts/query.ts';
import { Badge } from '../../parts/small.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { ask } from '../../shell/api.ts';
import { jobs as told } from '../../shell/live.ts';
import type { Panel } from '../../shell/panel.ts';
import type { JobRow } from '../../shell/rows.ts';
import { param, setParams } from '../../shell/url.ts';
import { JobDetail } from './detail.tsx';
import { isOver, Progress, tookMs } from './progress.tsx';

interface Tasks {
  tasks: JobRow[];
  unread_instances?: number;
}

/** How far a job is, is not on the stream: it is asked for while one runs. */
const askMs = 1000;

function View() {
  const query = useQuery<Tasks>('tasks');
  const [problem, setProblem] = useState('');
  // A job may take its time to stop.
  const [asked, setAsked] = useState<readonly string[]>([]);
  const all = query.data?.tasks ?? [];
  const busy = all.some(each => !isOver(each));
  useEffect(() => query.reload(), [told.value]);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(query.reload, askMs);
    return () => clearTimeout(timer);
  }, [query.data, busy]);

  const cancel = (job: JobRow): void => {
    setProblem('');
    setAsked(before => [...before, job.job_id]);
    ask(`/v1/jobs/${encodeURIComponent(job.job_id)}`, { method: 'DELETE' }).then(query.reload, (error: Error) => {
      setProblem(error.message);
      setAsked(before => before.filter(each => each !== job.job_id));
    });
  };
  const [q, status, instance, opened] = [param('q'), param('status'), param('instance'), param('job')];
  const rows = all.filter(
    each =>
      (status === '' || (status === 'active' ? !isOver(each) : each.status === status)) &&
      (instance === '' || each.instance_id === instance) &&
      matches(q, each.tool, each.job_id, each.dcc_type, each.error),
  );
  const unread = query.data?.unread_instances ?? 0;
  return (
    <>
      <FilterBar known={query.data !== undefined} note={`${number(rows.length)} of ${number(all.length)}`}>
        <Search label="Search jobs by tool or id" />
        <Select
          name="status"
          label="State"
          options={{
            '': 'All states',
            active: 'Not over yet',
            completed: 'Completed',
            failed: 'Failed',
            cancelled: 'Cancelled',
            interrupted: 'Interrupted',
          }}
        />
        <InstanceChip />
        {unread > 0 && <span class="bad">{unread} instances did not say which jobs they have</span>}
        {problem && (
          <span class="bad" role="alert">
            {problem}
          </span>
        )}
      </FilterBar>
      <ListPanel
        what="jobs"
        query={query}
        isEmpty={rows.length === 0}
        empty={
          <Empty title={all.length === 0 ? 'No job has run' : 'No job is like that'}>
            {all.length === 0 && 'Tools that take long run as jobs: each stands here from its receipt to its end.'}
          </Empty>
        }
        detail={
          opened &&
          query.data && (
            <JobDetail
              id={opened}
              job={all.find(each => each.job_id === opened)}
              cancel={cancel}
              asked={asked.includes(opened)}
            />
          )
        }
      >
        <Table
          label="Jobs"
          columns={columnsOf(cancel, asked)}
          rows={rows}
          keyOf={each => each.job_id}
          selected={opened}
          onOpen={each => setParams({ job: each.job_id })}
        />
      </ListPanel>
    </>
  );
}

const columnsOf = (cancel: (job: JobRow) => void, asked: readonly string[]): readonly Column<JobRow>[] => [
  { title: 'State', width: '92px', cell: row => <Badge>{row.status}</Badge> },
  { title: 'Tool', width: 'minmax(84px, 1.2fr)', mono: true, cell: row => toolName(row.tool ?? row.tool_name ?? '–') },
  { title: 'Progress', width: 'minmax(64px, 1.6fr)', cell: row => <Progress job={row} /> },
  {
    title: 'Host',
    width: '140px',
    wide: true,
    cell: row => `${row.dcc_type ?? ''} ${row.instance_id?.slice(0, 8) ?? ''}`,
  },
  { title: 'Began', width: 'minmax(60px, 108px)', wide: true, cell: row => when(row.started_at ?? row.created_at) },
  { title: 'Took', width: '72px', wide: true, align: 'end', cell: row => ms(tookMs(row)) },
  {
    title: 'Action',
    width: '76px',
    align: 'end',
    cell: row =>
      !isOver(row) && (
        <button
          type="button"
          class="small danger"
          onClick={event => {
            event.stopPropagation();
            cancel(row);
          }}
          aria-label={`Cancel ${row.tool ?? 'job'}`}
        >
          {asked.includes(row.job_id) ? 'Ending' : 'Cancel'}
        </button>
      ),
  },
];

export const jobs: Panel = {
  ...{ name: 'jobs', title: 'Jobs', group: 'Observe', View },
  icon: 'M8 2a6 6 0 1 0 6 6M8 5v3l2 2',
  about: 'What runs in the background, and how far it is.',
};
