/** What the audit tells the bus. Tool calls have their own events, which the ring takes as they are. */
import type { AuditEntry } from './api.ts';

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'audit.recorded': AuditEntry;
  }
}

export const auditEvents = {
  'audit.recorded': "an entry of the host's own audit log arrived",
} as const;
