/** Background jobs behind the gateway, as its REST routes tell of them. */
import type { JobRecord } from '../../schemas/job.ts';
import { failureOf, shownResult } from '../call-output.ts';
import { progressText, structured } from '../called-tool.ts';
import { plain, printable } from '../columns.ts';
import type { Fields } from '../mcp-client.ts';
import type { Gateway } from './gateway.ts';

/** Calls a tool about jobs on the instance that has the job; rejects with what it says when it knows none such. */
export async function callJobTool(gateway: Gateway, tool: string, args: Fields): Promise<Fields> {
  const result = await gateway.ask<Fields>('POST', '/v1/call', { body: { tool_slug: tool, arguments: args } });
  if (result.isError === true) throw failureOf(result);
  return result;
}

export const statusOfJob = async (gateway: Gateway, job_id: string): Promise<JobRecord> =>
  structured(await callJobTool(gateway, 'jobs_get_status', { job_id })) as JobRecord;

/** For people. */
export function jobText({ job_id, tool, status, progress, error, result, ...times }: JobRecord): string {
  const told: [string, string | null | undefined][] = [
    ['job', job_id],
    ['tool', tool],
    ['status', status],
    ['progress', progress && progressText(progress)],
    ['created', times.created_at],
    ['started', times.started_at],
    ['completed', times.completed_at],
    ['error', error],
  ];
  const lines = told.flatMap(([name, value]) => (value ? [`${name.padEnd(10)} ${plain(value)}`] : []));
  return [...lines, ...(result ? ['', printable(shownResult(result))] : [])].join('\n');
}
