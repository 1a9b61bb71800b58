/** What the server object may know of `audit://`. */
import type { AuditEntry } from '../../../audit/api.ts';

export interface AuditSchemeService {
  /** Adds a record of the host's own audit log to the ring; its parameters are shortened and censored. */
  append(record: Pick<AuditEntry, 'action'> & Partial<AuditEntry>): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    schemeAudit: AuditSchemeService;
  }
}
