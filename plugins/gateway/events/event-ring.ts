/** The newest operational events of the gateway: who came and went, and why. It hears of them on the bus. */
import type { Bus, Disposer } from '../../../kernel/index.ts';
import { withoutSecrets } from '../../../schemas/redaction.ts';
import type { InstanceTrouble } from '../../instances/api.ts';
import type { GatewayEvent, GatewayEventsService, GatewayNote } from './api.ts';

const capacity = 1000;
/** A reason may be the text of a remote error: no more of it than a person reads. */
const maxReason = 65_536;

/** Kinds of exits by their reason (shape:gateway-events); any other is one in good order. */
const exits: Readonly<Record<string, string>> = {
  exited: 'ghost_reaped',
  'host-died': 'host_died',
  'heartbeat-timeout': 'auto_deregister',
  unreachable: 'auto_deregister',
};

export function createEventRing(
  bus: Pick<Bus, 'on' | 'emit'>,
  now: () => number,
): GatewayEventsService & { dispose: Disposer } {
  const events: GatewayEvent[] = [];

  const record = ({ event, dcc_type = 'gateway', instance_id, reason }: GatewayNote): void => {
    const entry: GatewayEvent = {
      timestamp: new Date(now()).toISOString(),
      event,
      dcc_type,
      instance_id: instance_id?.slice(0, 8) ?? 'unscoped',
      reason: withoutSecrets(reason.slice(0, maxReason)),
    };
    events.push(entry);
    if (events.length > capacity) events.shift();
    bus.emit('internal.gateway.recorded', { attributes: entry });
  };
  const about = (event: string, { dcc_type, instance_id, message }: InstanceTrouble): void =>
    record({ event, dcc_type, instance_id, reason: message });

  const undos = [
    bus.on('gateway.elected', ({ attributes }) => record({ event: 'election_won', ...attributes })),
    bus.on('gateway.yielded', ({ attributes }) => record({ event: 'voluntary_yield', ...attributes })),
    bus.on('gateway.noted', ({ attributes }) => record(attributes)),
    bus.on('instance.left', ({ attributes }) => about(exits[attributes.reason] ?? 'deregistered', attributes)),
    // Still there, and not called any more.
    bus.on('instance.changed', ({ attributes: { message, reason, ...instance } }) => {
      if (reason === 'heartbeat-timeout' && message) about('stale', { ...instance, message });
    }),
    bus.on('instance.unreachable', ({ attributes }) => about('probe_unreachable', attributes)),
    bus.on('instance.booting', ({ attributes }) => about('probe_booting', attributes)),
  ];

  return {
    list: () => [...events],
    lines: () => events.map(each => `${JSON.stringify(each)}\n`).join(''),
    dispose() {
      for (const undo of undos) void undo();
    },
  };
}
