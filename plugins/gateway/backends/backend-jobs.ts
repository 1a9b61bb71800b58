/** The jobs of an instance, by the door that its driver has to them. */
import type { SvcError } from '../../../kernel/index.ts';
import type { Backend } from './api.ts';
import type { JobDoor } from './driver.ts';
import { type Failure, saysOfInstance } from './failure.ts';
import type { Gate } from './gate.ts';

export interface BackendJobsParts {
  /** None of a driver without REST. */
  door: JobDoor | undefined;
  gate: Pick<Gate, 'enter' | 'leave'>;
  timeoutMs: number;
  errorFor(failure: Failure, what: string): SvcError;
}

const noDoor: Failure = { kind: 'malformed', reason: 'it is not reached over HTTP' };

export function createBackendJobs({ door, gate, timeoutMs, errorFor }: BackendJobsParts) {
  /** Asks in one of the places of calls in flight. */
  const asked = async <T>(what: string, question: (door: JobDoor) => Promise<T | Failure>): Promise<T> => {
    gate.enter();
    const answer = door ? await question(door) : noDoor;
    const failure = isFailure(answer) ? answer : undefined;
    gate.leave(saysOfInstance(failure));
    if (isFailure(answer)) throw errorFor(answer, what);
    return answer;
  };

  return {
    jobs: limit => asked('its jobs', each => each.list(limit, timeoutMs)),
    async jobEvents(jobId, signal) {
      const events = (await door?.events(jobId, { signal, timeoutMs })) ?? noDoor;
      if (isFailure(events)) throw errorFor(events, `the events of job ${jobId}`);
      return events;
    },
    cancelJob: jobId => asked(`the end of job ${jobId}`, each => each.cancel(jobId, timeoutMs)),
  } satisfies Pick<Backend, 'jobs' | 'jobEvents' | 'cancelJob'>;
}

const isFailure = (answer: unknown): answer is Failure =>
  typeof answer === 'object' && answer !== null && 'kind' in answer;
