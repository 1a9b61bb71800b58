/** What the connections to instances tell the bus. */
import type { BackendNotification } from './api.ts';

declare module '../../../kernel/events.ts' {
  interface KernelEvents {
    'backend.connected': { instance_id: string };
    'backend.reconnected': { instance_id: string };
    'backend.lost': { instance_id: string };
    'internal.backend.notified': BackendNotification;
  }
}

export const backendsEvents = {
  'backend.connected': 'the gateway opened its session with an instance',
  'backend.reconnected': 'the session was opened anew: what was followed in the old one is followed no more',
  'backend.lost': 'the session ended for good: its instance has gone',
  'internal.backend.notified':
    'an instance sent a notification on its standing stream; each routable one has a stream while somebody wants this',
} as const;
