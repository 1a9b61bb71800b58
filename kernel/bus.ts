/** The event bus over mitt: exact names, `prefix.*` and `*`, every subscriber isolated (specification: Event bus). */
import mitt from 'mitt';
import type { Ids } from '../schemas/ids.ts';
import { createEnvelope, type EventAttributes, type EventEnvelope, type EventInput, type EventName } from './events.ts';
import type { Disposer } from './scope.ts';

// mitt's types describe its CommonJS build; at run time the import is the factory itself.
const createEmitter = mitt as unknown as typeof mitt.default;

export type Subscriber<N extends string = string> = (event: EventEnvelope<EventAttributes<N>>) => unknown;

export type Bus = ReturnType<typeof createBus>;

type Delivery = { envelope: EventEnvelope } | { attributes: Record<string, unknown> };
type Events = Record<string, Delivery>;

/** What the rooms of the house tell each other, call by call: only who names it hears it, and it has neither id nor time. */
const internal = 'internal.';

function matcher(pattern: string): (name: string) => boolean {
  const prefix = pattern.slice(0, -1);
  if (prefix.startsWith(internal)) return name => name.startsWith(prefix);
  return name => name.startsWith(prefix) && !name.startsWith(internal);
}

/** `onFailure` is told of a subscriber that threw or rejected. */
export function createBus(ids: Ids, onFailure: (name: string, error: unknown) => void) {
  const emitter = createEmitter<Events>();
  const wildcards = new Set<(name: string) => boolean>();

  // To mitt, `*` is every subscriber and no event name: nobody can subscribe to just that event.
  const send = (name: string, delivery: Delivery): void => {
    if (name !== '*') emitter.emit(name, delivery);
  };

  const isolated = (subscriber: Subscriber) => (type: string, delivery: Delivery) => {
    try {
      const received = 'envelope' in delivery ? delivery.envelope : (delivery.attributes as unknown as EventEnvelope);
      const outcome = subscriber(received);
      if (outcome instanceof Promise) outcome.catch((error: unknown) => onFailure(type, error));
    } catch (error) {
      onFailure(type, error);
    }
  };

  /** Subscribes to an exact name, a `prefix.*` or `*`, which leaves out `internal.*`; returns the undo. */
  const on = <N extends EventName>(name: N, subscriber: Subscriber<N>): Disposer => {
    const handle = isolated(subscriber as Subscriber);
    if (!name.endsWith('*')) {
      const direct = (delivery: Delivery): void => handle(name, delivery);
      emitter.on(name, direct);
      return () => emitter.off(name, direct);
    }
    const matches = matcher(name);
    const wildcard = (type: string, delivery: Delivery): void => {
      if (matches(type)) handle(type, delivery);
    };
    emitter.on('*', wildcard as never);
    wildcards.add(matches);
    return () => {
      emitter.off('*', wildcard as never);
      wildcards.delete(matches);
    };
  };

  return {
    on,
    /**
     * Structured event: every matching subscriber receives the envelope, which is also returned. Never throws, never
     * waits. An event may leave the process: `source`, `correlation` and `attributes` are plain data.
     */
    emit<N extends EventName>(name: N, input: EventInput<EventAttributes<N>> = {}): EventEnvelope<EventAttributes<N>> {
      const own = name.startsWith(internal);
      const envelope = createEnvelope(name, input, own ? '' : ids.event(), own ? 0 : ids.nowNs());
      send(name, { envelope: envelope as EventEnvelope });
      return envelope;
    },
    /** Whether anyone would receive `name`: lets a hot path skip building the event. */
    wants(name: EventName): boolean {
      if (emitter.all.get(name)?.length) return true;
      for (const matches of wildcards) if (matches(name)) return true;
      return false;
    },
    /** Legacy form: subscribers receive `attributes` alone. */
    publish(name: string, attributes: Record<string, unknown> = {}): void {
      send(name, { attributes });
    },
  };
}
