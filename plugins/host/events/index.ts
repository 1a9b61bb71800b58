/** The event bus and the policy hooks as the host uses them: its functions stay on its thread and are asked there. */
import { definePlugin, type EventEnvelope, type EventInput, type Host } from '../../../kernel/index.ts';
import { anyOf, inputOf, key, optional, text } from '../../../schemas/operation.ts';
import { isReservedEvent } from '../../../schemas/reserved-events.ts';
import { vetoableEvents } from '../../../schemas/vetoable-events.ts';
import { eventErrors } from './errors.ts';
import { counterQuestion, type Delivery, deliverQuestion, hookQuestion } from './wire.ts';

/** Events that may wait for a blocked host before further ones are dropped. */
const maxUndelivered = 10_000;

const attributes = anyOf<Record<string, unknown>>({ type: 'object' });
const keyed = inputOf({ name: text, key });
const emitted = inputOf({ name: text, input: optional(anyOf<EventInput>({ type: 'object' })) });
const published = inputOf({ name: text, attributes: optional(attributes) });

export const hostEventsPlugin = definePlugin(
  { name: 'host-events', errors: eventErrors },
  (app, { kernel: { bus, hooks }, scope, log }) => {
    const { host } = app;
    const deliver = host.inPlace
      ? (delivery: Delivery) => host.tell(deliverQuestion, delivery)
      : boundedDelivery(host, event =>
          log.warn({ event, waiting: maxUndelivered }, 'the host does not take its events: further ones are dropped'),
        );
    const operations = [
      host.operation('subscribe', keyed, ({ name, key }) =>
        bus.on(name, event => deliver({ key, event: event as EventEnvelope })),
      ),
      host.operation('before', keyed, ({ name, key }) => {
        const known: readonly string[] = vetoableEvents;
        if (!known.includes(name)) throw eventErrors.NOT_VETOABLE({ event: name, known: known.join(', ') });
        return hooks.before(name, event => host.ask(hookQuestion, { key, event } satisfies Delivery));
      }),
      host.operation('emit', emitted, ({ name, input }) => bus.emit(own(name), input)),
      host.operation('publish', published, ({ name, attributes }) => bus.publish(own(name), attributes)),
    ];
    for (const undo of operations) scope.add('operation', undo);
  },
);

/** The name, unless it is the server's: what others go by cannot be made up. */
function own(event: string): string {
  if (isReservedEvent(event)) throw eventErrors.EVENT_RESERVED({ event });
  return event;
}

/** Tells the host of events until it has too many before it. */
function boundedDelivery(host: Host, onDrop: (event: string) => void): (delivery: Delivery) => void {
  const received = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const taken = new Int32Array(received);
  let sent = 0;
  let dropping = false;
  host.tell(counterQuestion, received);
  return delivery => {
    // Counters wrap at 32 bits; their distance does not.
    const waiting = (sent - Atomics.load(taken, 0)) | 0;
    if (waiting >= maxUndelivered) {
      if (!dropping) onDrop(delivery.event.name);
      dropping = true;
      return;
    }
    dropping = false;
    sent = (sent + 1) | 0;
    host.tell(deliverQuestion, delivery);
  };
}
