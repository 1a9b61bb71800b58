/** What other plugins may use of the audit ring. */
export type AuditOutcome = 'success' | { denied: { reason: string } } | { error: { message: string } };

/** One tool call (shape:audit). */
export type AuditEntry = {
  timestamp_ms: number;
  actor?: string;
  /** Tool name. */
  action: string;
  /** Arguments as JSON text, shortened, secrets censored; `{}` when the event carries none. */
  params_json: string;
  duration_ms: number;
  outcome: AuditOutcome;
};

export interface AuditService {
  /** The newest entries, oldest first; at most 500. */
  recent(limit?: number): AuditEntry[];
  /** Tells the bus of an entry that no tool call made, such as one of the host's own audit log; secrets are censored. */
  append(entry: AuditEntry): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    audit: AuditService;
  }
}
