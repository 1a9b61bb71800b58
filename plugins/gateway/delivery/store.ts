/** What the gateway keeps of calls whose work goes on at an instance: the contracts of every driver. */
import type { Awaitable } from '../../../kernel/index.ts';

/** Who is told of a job: the instance that has it, and the session of the call that started it. */
export interface CallOwner {
  instance_id: string;
  /** Undefined for a job that no session of ours started. */
  sessionId: string | undefined;
}

export interface CallOwners {
  /** Inserts or replaces; who is asked for least may be forgotten. */
  set(jobId: string, owner: CallOwner): Awaitable<void>;
  get(jobId: string): Awaitable<CallOwner | undefined>;
}

export interface Notice {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** Notices that wait until it is known who is to be told. Calls about one job are made one after the other. */
export interface Outbox {
  /** Keeps a notice behind those that the job has already. */
  put(jobId: string, notice: Notice): Awaitable<void>;
  /** Hands out what is kept, oldest first, and keeps it no longer. */
  take(jobId: string): Awaitable<readonly Notice[]>;
}
