/** What the guardian tells the bus. */
import type { GuardianState } from './api.ts';

declare module '../../../kernel/events.ts' {
  interface KernelEvents {
    'guardian.changed': GuardianState;
  }
}

export const guardianEvents = {
  'guardian.changed': 'this server sees its gateway otherwise: the daemon came or went, an election was won or lost',
} as const;
