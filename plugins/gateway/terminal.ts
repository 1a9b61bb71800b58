/** Waits for the end of a background job for a caller who asked to (shape:call: `wait_for_terminal`). */

import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../kernel/index.ts';
import { isObject, type Json } from '../../schemas/loose.ts';
import type { Abortable, Backend } from './backends/api.ts';
import { mergedMeta, structuredOf } from './call-result.ts';
import { gatewayErrors } from './errors.ts';

const firstPauseMs = 15;
const longestPauseMs = 500;
const terminal = new Set(['completed', 'failed', 'cancelled', 'interrupted']);

export interface Waiting {
  backend: Backend;
  jobId: string;
  /** The envelope and the receipt that the call was answered with. */
  result: Json;
  receipt: Json;
  /** Milliseconds from now. */
  timeoutMs: number;
  signal: Abortable | undefined;
}

/** The envelope of the receipt with what became of the job; `_meta.dcc.timed_out` when it is still running. */
export async function terminalResult(waiting: Waiting): Promise<Json> {
  const { jobId, result, receipt, timeoutMs } = waiting;
  const end = performance.now() + timeoutMs;
  let last: Json = receipt;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const left = end - performance.now();
    if (left <= 0) return mergedMeta(merged(result, last, false), { timed_out: true, status: last.status });
    // A caller who leaves meanwhile is noticed by the question that follows.
    await sleep(Math.min(pause, left));
    last = { ...receipt, ...(await statusOf(waiting)) };
    if (terminal.has(String(last.status))) {
      const failed = last.status !== 'completed' || (isObject(last.result) && last.result.isError === true);
      return mergedMeta(merged(result, last, failed), { status: last.status, job_id: jobId });
    }
  }
}

async function statusOf(waiting: Waiting): Promise<Json> {
  const { backend, jobId, signal } = waiting;
  let answer: unknown;
  try {
    const params = { name: 'jobs_get_status', arguments: { job_id: jobId, include_result: true } };
    answer = await backend.request('tools/call', params, { idempotent: true, signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw lost(waiting, messageOf(error), error);
  }
  const record = isObject(answer) && answer.isError !== true ? structuredOf(answer) : undefined;
  if (record === undefined) throw lost(waiting, 'the instance does not know the job any more');
  return record;
}

const lost = ({ backend, jobId }: Waiting, reason: string, cause?: unknown) =>
  gatewayErrors.JOB_LOST({ job_id: jobId, instance: backend.instance_id, reason }, cause);

function merged(envelope: Json, record: Json, failed: boolean): Json {
  const { isError: _, ...rest } = envelope;
  const meta = isObject(rest._meta) ? rest._meta : {};
  return {
    ...rest,
    content: [{ type: 'text', text: JSON.stringify(record) }],
    structuredContent: record,
    _meta: { ...meta, status: record.status },
    ...(failed && { isError: true }),
  };
}
