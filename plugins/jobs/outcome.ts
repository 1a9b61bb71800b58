/** What a settled call makes of its job: a result that reports a failure is a failed job. Pure. */
import { messageOf } from '../../kernel/index.ts';
import { failureText } from './api.ts';
import type { Outcome } from './job.ts';

const maxError = 4096;

type Fields = Readonly<Record<string, unknown>>;

/** The outcome of a result; `maxBytes` bounds what is kept. */
export function outcomeOf(result: Fields, maxBytes: number): Outcome {
  const text = JSON.stringify(result);
  const size = Buffer.byteLength(text);
  if (size > maxBytes) {
    const error = `The result is ${size} bytes long, at most ${maxBytes} are kept (max_job_result_bytes): write it to a file and return its path`;
    return { status: 'failed', error, result: null };
  }
  if (result.isError !== true) return { status: 'completed', error: null, result: text };
  return { status: 'failed', error: failureText(result).slice(0, maxError), result: text };
}

/** The outcome of a rejection; once cancelled, whatever a handler rejects with acknowledges that. */
export const failureOf = (error: unknown): Outcome => ({
  status: 'failed',
  error: messageOf(error).slice(0, maxError),
  result: null,
});
