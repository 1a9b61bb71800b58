/** The event bus over mitt: exact names, `prefix.*` and `*`, every subscriber isolated (specification: Event bus). */
import mitt from 'mitt';
import { createEnvelope, type EventEnvelope, type EventInput } from './events.ts';
import type { Ids } from './ids.ts';

// mitt's types describe its CommonJS build; at run time the import is the factory itself.
const createEmitter = mitt as unknown as typeof mitt.default;

export type Subscriber = (event: EventEnvelope) => unknown;

export interface Bus {
  /** Subscribes to an exact name, a `prefix.*` or `*`; returns the subscription id (1, 2, 3, ...). */
  subscribe(name: string, subscriber: Subscriber): number;
  /** Ends a subscription; false when name and id do not name one. */
  unsubscribe(name: string, id: number): boolean;
  /** Structured event: every matching subscriber receives the envelope, which is also returned. Never throws, never waits. */
  emit(name: string, input?: EventInput): EventEnvelope;
  /** Legacy form: subscribers receive `attributes` alone. */
  publish(name: string, attributes?: Record<string, unknown>): void;
  /** Whether anyone would receive `name`: lets a hot path skip building the event. */
  wants(name: string): boolean;
}

interface Subscription {
  name: string;
  off(): void;
}

type Delivery = { envelope: EventEnvelope } | { attributes: Record<string, unknown> };
type Events = Record<string, Delivery>;

/** `onFailure` is told of a subscriber that threw or rejected. */
export function createBus(ids: Ids, onFailure: (name: string, error: unknown) => void): Bus {
  const emitter = createEmitter<Events>();
  const subscriptions = new Map<number, Subscription>();
  let lastId = 0;
  let exact = new Set<string>();
  let prefixes: string[] = [];

  const reindex = (): void => {
    const names = [...subscriptions.values()].map(each => each.name);
    exact = new Set(names.filter(name => !name.endsWith('*')));
    prefixes = names.filter(name => name.endsWith('*')).map(name => name.slice(0, -1));
  };

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

  return {
    subscribe(name, subscriber) {
      lastId += 1;
      const handle = isolated(subscriber);
      if (name.endsWith('*')) {
        const prefix = name.slice(0, -1);
        const wildcard = (type: string, delivery: Delivery): void => {
          if (type.startsWith(prefix)) handle(type, delivery);
        };
        emitter.on('*', wildcard as never);
        subscriptions.set(lastId, { name, off: () => emitter.off('*', wildcard as never) });
      } else {
        const direct = (delivery: Delivery): void => handle(name, delivery);
        emitter.on(name, direct);
        subscriptions.set(lastId, { name, off: () => emitter.off(name, direct) });
      }
      reindex();
      return lastId;
    },
    unsubscribe(name, id) {
      const found = subscriptions.get(id);
      if (found?.name !== name) return false;
      found.off();
      subscriptions.delete(id);
      reindex();
      return true;
    },
    emit(name, input = {}) {
      const envelope = createEnvelope(name, input, ids.event(), ids.nowNs());
      send(name, { envelope });
      return envelope;
    },
    publish(name, attributes = {}) {
      send(name, { attributes });
    },
    wants: name => exact.has(name) || prefixes.some(prefix => name.startsWith(prefix)),
  };
}
