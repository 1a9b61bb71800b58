/**
 * The events of a job on their way through the gateway. A stream that is cut is taken up again, and what cannot be taken up
 * ends with an event that says why: who follows a job hears how it ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isSvcError, toHttpError } from '../../../kernel/index.ts';
import { objectOf, parsed } from '../../../schemas/loose.ts';
import type { Backend, StreamEvent } from '../backends/api.ts';
import { deliveryErrors } from './errors.ts';

/** An instance that is being restarted, or whose end is not known yet, has so long. */
const looks = 10;
const lookMs = 200;

export interface JobEventsDeps {
  /** Rejects with why nobody is asked about the job any more. */
  backendOf(jobId: string): Promise<Pick<Backend, 'jobEvents'>>;
  /** Whether the gateway itself is ending: its jobs go on. */
  closing(): boolean;
}

/** Why a process that has ended is asked no more. */
const ends = new Set<unknown>(['exited', 'deregistered']);

export function createJobEvents({ backendOf, closing }: JobEventsDeps) {
  const open = async (id: string, signal: AbortSignal) => (await backendOf(id)).jobEvents(id, signal);

  /** The stream once more; rejects when there is none to be had. */
  const again = async (id: string, signal: AbortSignal): Promise<AsyncIterable<StreamEvent>> => {
    for (let look = 1; ; look += 1) {
      try {
        return await open(id, signal);
      } catch (error) {
        if (look === looks || signal.aborted || closing() || isFinal(error)) throw error;
      }
      await sleep(lookMs);
    }
  };

  async function* follow(id: string, first: AsyncIterable<StreamEvent>, signal: AbortSignal) {
    let events = first;
    for (let cut = 0; cut < looks; cut += 1) {
      for await (const event of events) {
        yield event;
        if (isLast(event)) return;
        cut = 0;
      }
      if (signal.aborted || closing()) return;
      try {
        events = await again(id, signal);
      } catch (error) {
        if (!signal.aborted && !closing()) yield ending(id, error);
        return;
      }
    }
    yield ending(id, deliveryErrors.STREAM_CUT({ job_id: id }));
  }

  return async (id: string, signal: AbortSignal): Promise<AsyncIterable<StreamEvent>> =>
    follow(id, await open(id, signal), signal);
}

const isLast = ({ data }: StreamEvent): boolean => ['done', 'error'].includes(String(objectOf(parsed(data)).type));

const previousStatus = (error: unknown): unknown => (isSvcError(error) ? error.details.previous_status : undefined);

const isFinal = (error: unknown): boolean =>
  ends.has(previousStatus(error)) || (isSvcError(error) && error.code === 'SVC_RELAY_JOB_UNKNOWN');

function ending(job_id: string, error: unknown): StreamEvent {
  const { message } = error as Error;
  const told = ends.has(previousStatus(error)) ? deliveryErrors.JOB_INTERRUPTED({ job_id, reason: message }) : error;
  return { event: 'job', data: JSON.stringify({ type: 'error', error: toHttpError(told).body }) };
}
