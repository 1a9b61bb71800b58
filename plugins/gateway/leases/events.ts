/** What the leases tell the bus. */
import type { LeaseChange } from './api.ts';

declare module '../../../kernel/events.ts' {
  interface KernelEvents {
    'lease.changed': LeaseChange;
  }
}

export const leasesEvents = {
  'lease.changed': 'an instance was leased, its lease was renewed, given back, or has expired: `action` says which',
} as const;
