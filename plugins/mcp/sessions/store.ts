/** What is kept of sessions beside their connections, so that another process can go on with one: the contract of every driver. */
import type { Awaitable } from '../../../kernel/index.ts';

export interface SessionRecord {
  readonly id: string;
  /** Whose it is; undefined where nobody has to authenticate. */
  readonly owner?: string | undefined;
  readonly protocolVersion: string;
  readonly clientInfo: Readonly<Record<string, unknown>>;
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  /** Rank of the least severe log message that the client wants. */
  readonly logLevel: number;
}

/** Calls about one session are made one after the other. */
export interface SessionStore {
  /** Inserts or replaces. What is kept is the record as it is now. */
  save(record: SessionRecord): Awaitable<void>;
  get(id: string): Awaitable<SessionRecord | undefined>;
  remove(id: string): Awaitable<void>;
}
