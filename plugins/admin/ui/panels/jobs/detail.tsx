/** One job in full: what it works on, how far it is, what it ended with. */
import { Drawer } from '../../parts/drawer.tsx';
import { ms, toolName, when } from '../../parts/format.ts';
import { Body, type Payload } from '../../parts/payload.tsx';
import { useQuery } from '../../parts/query.ts';
import { Badge, Code, Facts } from '../../parts/small.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Refused } from '../../shell/api.ts';
import type { JobRow } from '../../shell/rows.ts';
import { linkTo, setParams } from '../../shell/url.ts';
import { isOver, Progress, tookMs } from './progress.tsx';

interface DetailProps {
  id: string;
  job: JobRow | undefined;
  cancel(job: JobRow): void;
  /** Whether it has been told to end. */
  asked: boolean;
}

export function JobDetail({ id, job: listed, cancel, asked }: DetailProps) {
  // What a job ended with is asked for once it has ended; and so is one that is not among those listed.
  const full = useQuery<JobRow & { result?: Payload }>(
    !listed || isOver(listed) ? `tasks/${encodeURIComponent(id)}` : undefined,
  );
  const job = listed ?? full.data;
  const title = toolName(job?.tool ?? job?.tool_name ?? 'Job');
  return (
    <Drawer key={id} label={`Job ${id}`} title={title} onClose={() => setParams({ job: '' })}>
      {job ? (
        <>
          <div class="row">
            <Badge>{job.status}</Badge>
            {!isOver(job) && (
              <>
                <Progress job={job} />
                <button type="button" class="small danger" onClick={() => cancel(job)}>
                  {asked ? 'Told to end' : 'Cancel the job'}
                </button>
              </>
            )}
          </div>
          {job.error && <p class="notice is-bad">{job.error}</p>}
          <Facts
            of={[
              ['Job', <code>{job.job_id}</code>],
              [
                'Part of',
                job.parent_job_id && <a href={linkTo('jobs', { job: job.parent_job_id })}>{job.parent_job_id}</a>,
              ],
              [
                'Instance',
                job.instance_id && (
                  <a href={linkTo('instances', { instance: job.instance_id })}>
                    {`${job.dcc_type ?? ''} ${job.instance_id}`}
                  </a>
                ),
              ],
              ['Asked for', when(job.created_at)],
              ['Began', when(job.started_at)],
              ['Ended', when(job.completed_at)],
              ['Took', ms(tookMs(job))],
            ]}
          />
          <Body title="Result" payload={full.data?.result} />
          {full.loading && <Loading what="its result" />}
          {listed && full.error && <Failed error={full.error} retry={full.reload} />}
          {job.progress && (
            <section>
              <h3>Last progress</h3>
              <Code label="Last progress" text={JSON.stringify(job.progress, null, 2)} />
            </section>
          )}
        </>
      ) : full.loading ? (
        <Loading what="the job" />
      ) : full.error instanceof Refused && full.error.status !== 404 ? (
        <Failed error={full.error} retry={full.reload} />
      ) : (
        <Empty title="Its instance does not know it any more">
          Jobs are forgotten with their instance, and some time after their end.
        </Empty>
      )}
    </Drawer>
  );
}
