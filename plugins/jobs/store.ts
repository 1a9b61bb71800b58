/** Where rows of jobs are kept: the contract of every driver. What a driver throws or rejects with is told by its kind. */
import type { Awaitable } from '../../kernel/index.ts';
import type { StorageErrorKind } from '../storage/api.ts';
import type { JobRow, Whose } from './api.ts';

export interface JobStore {
  /** Inserts or replaces: all of them or none. Not called again before it has answered. */
  save(rows: readonly JobRow[]): Awaitable<void>;
  get(id: string): Awaitable<JobRow | undefined>;
  /** Rows that are not terminal, oldest first. */
  unfinished(): Awaitable<JobRow[]>;
  /** The last created that `whose` sees, or all see, the newest first, without their results. */
  newest(limit: number, whose?: Whose): Awaitable<JobRow[]>;
  /** Removes terminal rows last updated before `before`, all or none; how many. */
  prune(before: string): Awaitable<number>;
}

export interface JobDriver {
  store: JobStore;
  kindOf(error: unknown): StorageErrorKind;
}
