/** What other plugins may use of the audit ring. */
import type { Disposer } from '../../kernel/index.ts';

export type AuditOutcome = 'success' | { denied: { reason: string } } | { error: { message: string } };

/** One tool call (CONTRACT 8.3). */
export interface AuditEntry {
  timestamp_ms: number;
  actor?: string;
  /** Tool name. */
  action: string;
  /** Arguments as JSON text, shortened, secrets censored; `{}` when the event carries none. */
  params_json: string;
  duration_ms: number;
  outcome: AuditOutcome;
}

export interface AuditService {
  /** The newest entries, oldest first; at most 500. */
  recent(limit?: number): AuditEntry[];
  /** Adds an entry that did not come by the bus, such as one of the host's own audit log. */
  append(entry: AuditEntry): void;
  /** Hears of every record; its entry is made only for who asks. */
  onRecord(callback: (last: () => AuditEntry) => void): Disposer;
}

declare module 'fastify' {
  interface FastifyInstance {
    audit: AuditService;
  }
}
