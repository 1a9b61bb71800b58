/** `svc-cli jobs list`, and `svc-cli jobs`: the background jobs of every server. */
import * as Flags from '@oclif/core/flags';
import type { JobRecord } from '../../../../schemas/job.ts';
import { progressText } from '../../../called-tool.ts';
import { columns, since, terminalLooks } from '../../../columns.ts';
import { GatewayCommand } from '../../base.ts';

type Listed = JobRecord & { instance_id: string; dcc_type: string };

interface Found {
  jobs: Listed[];
  unread_instances?: number;
}

const states = ['pending', 'running', 'completed', 'failed', 'cancelled', 'interrupted'] as const;

export class JobsList extends GatewayCommand {
  static override summary = 'List the background jobs of every server';
  static override description = 'The newest first, those that have ended too; their results are shown by jobs show.';
  static override aliases = ['jobs'];
  static override examples = [
    '<%= config.bin %> jobs',
    '<%= config.bin %> jobs list --status running',
    '<%= config.bin %> jobs list --limit 5 --json',
  ];
  static override flags = {
    status: Flags.string({ description: 'only those in this state', options: [...states] }),
    limit: Flags.integer({ description: 'how many are looked at', min: 1, max: 1000, default: 100, helpValue: '<n>' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(JobsList);
    const gateway = await this.gateway(flags.gateway);
    const found = await gateway.ask<Found>('GET', `/v1/jobs?limit=${flags.limit}`);
    const jobs = found.jobs.filter(each => flags.status === undefined || each.status === flags.status);
    this.show({ value: { ...found, total: jobs.length, jobs }, rows: jobs, text: () => jobsText(jobs) });
    if (found.unread_instances) this.remark(`${found.unread_instances} servers did not say what jobs they have.`);
  }
}

function jobsText(jobs: readonly Listed[]): string {
  if (jobs.length === 0) return 'There are no jobs.';
  const rows = jobs.map(({ job_id, status, dcc_type, instance_id, tool, created_at, progress, error }) => [
    job_id,
    status,
    tool,
    `${dcc_type}.${instance_id.slice(0, 8)}`,
    since(created_at),
    error ?? (progress ? progressText(progress) : ''),
  ]);
  return columns([['JOB', 'STATUS', 'TOOL', 'SERVER', 'AGE', 'PROGRESS'], ...rows], terminalLooks());
}
