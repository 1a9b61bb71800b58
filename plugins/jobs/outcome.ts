/** What a settled call makes of its job: a result that reports a failure is a failed job. Pure. */
import { messageOf } from '../../kernel/index.ts';
import { excessOf, smallerResult } from '../../schemas/result-size.ts';
import type { Outcome } from './job.ts';

const maxError = 4096;

type Fields = Readonly<Record<string, unknown>>;

/** The outcome of a result; `mostBytes` bounds that of work which is no tool call: those are measured already. */
export function outcomeOf(result: Fields, mostBytes?: number): Outcome {
  const size = mostBytes && excessOf(JSON.stringify(result.structuredContent ?? result), mostBytes);
  if (size) {
    const error = `The result is at least ${size} bytes long, at most ${mostBytes} are taken (max_result_bytes): ${smallerResult}`;
    return { status: 'failed', error, result: null };
  }
  const text = JSON.stringify(result);
  if (result.isError !== true) return { status: 'completed', error: null, result: text };
  return { status: 'failed', error: failureText(result), result: text };
}

/** The outcome of a rejection; once cancelled, whatever a handler rejects with acknowledges that. */
export const failureOf = (error: unknown): Outcome => ({
  status: 'failed',
  error: messageOf(error).slice(0, maxError),
  result: null,
});

function failureText({ structuredContent, content }: Fields): string {
  const { error, message } = (structuredContent ?? {}) as Fields;
  const first = Array.isArray(content) ? (content[0] as Fields | undefined)?.text : undefined;
  const said = [error, message, first].find(each => typeof each === 'string' && each !== '');
  return String(said ?? 'the tool reported a failure without a message').slice(0, maxError);
}
