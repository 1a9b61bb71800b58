/** The newest operational events of the gateway: who came and went, and why. */
import type { GatewayEvent, GatewayEventsService } from './api.ts';

const capacity = 1000;
/** A reason may be the text of a remote error: no more of it than a person reads. */
const maxReason = 65_536;

export function createEventRing(
  now: () => number,
  onFailure: (error: unknown) => void = () => undefined,
): GatewayEventsService {
  const events: GatewayEvent[] = [];
  const listeners = new Set<(event: GatewayEvent) => void>();
  return {
    record({ event, dcc_type = 'gateway', instance_id, reason }) {
      const entry: GatewayEvent = {
        timestamp: new Date(now()).toISOString(),
        event,
        dcc_type,
        instance_id: instance_id?.slice(0, 8) ?? 'unscoped',
        reason: reason.slice(0, maxReason),
      };
      events.push(entry);
      if (events.length > capacity) events.shift();
      for (const listener of [...listeners]) {
        try {
          listener(entry);
        } catch (error) {
          onFailure(error);
        }
      }
      return entry;
    },
    list: () => [...events],
    lines: () => events.map(each => `${JSON.stringify(each)}\n`).join(''),
    onRecord(listener) {
      const own = (event: GatewayEvent): void => listener(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
