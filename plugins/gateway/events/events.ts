/** What the gateway tells the bus of itself: the ring records it, with exits and failures of instances. */
import type { GatewayEvent, GatewayMoment, GatewayNote } from './api.ts';

declare module '../../../kernel/events.ts' {
  interface KernelEvents {
    'gateway.elected': GatewayMoment;
    'gateway.yielded': GatewayMoment;
    'gateway.noted': GatewayNote;
    'internal.gateway.recorded': GatewayEvent;
  }
}

export const gatewayEvents = {
  'gateway.elected': 'this process serves the gateway now: a daemon, or a server that won the election',
  'gateway.yielded': 'this gateway gives way to a challenger',
  'gateway.noted': 'a plugin has an entry for the ring of operational events, such as `feedback_reported`',
  'internal.gateway.recorded': 'the ring of operational events has a new entry',
} as const;
