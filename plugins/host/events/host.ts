/** The event bus as the host uses it: callbacks stay here, names and events cross. */
import {
  type AsyncDisposer,
  type BeforeHook,
  createKept,
  type EventAttributes,
  type EventEnvelope,
  type EventInput,
  type EventName,
  type HostHalf,
  type ServerLink,
  type Veto,
} from '../../../kernel/light.ts';
import { vetoOf } from '../../../schemas/hook-answer.ts';
import { vetoableEvents } from '../../../schemas/vetoable-events.ts';
import { counterQuestion, type Delivery, deliverQuestion, hookQuestion } from './wire.ts';

export interface ServerBus {
  /**
   * Calls `subscriber` on the host for every event of that exact name, `prefix.*` or `*`; resolves with the id. A
   * subscriber receives the envelope, or the attributes alone of what was published in the legacy form.
   */
  subscribe<N extends EventName>(
    name: N,
    subscriber: (event: EventEnvelope<EventAttributes<N>>) => unknown,
  ): Promise<number>;
  /** The same; resolves with the undo. */
  on<N extends EventName>(
    name: N,
    subscriber: (event: EventEnvelope<EventAttributes<N>>) => unknown,
  ): Promise<AsyncDisposer>;
  /** False when name and id do not name a subscription. */
  unsubscribe(name: string, id: number): Promise<boolean>;
  /** Registers a policy hook; rejects with SVC_SERVER_NOT_VETOABLE for another name than the vetoable ones. */
  before(name: string, hook: BeforeHook): Promise<number>;
  unsubscribeBefore(name: string, id: number): Promise<boolean>;
  /** The names that `before` takes. */
  vetoableEvents(): readonly string[];
  /** Emits a structured event; resolves with its envelope. Rejects with SVC_SERVER_EVENT_RESERVED for the server's own. */
  emit<N extends EventName>(
    name: N,
    input?: EventInput<EventAttributes<N>>,
  ): Promise<EventEnvelope<EventAttributes<N>>>;
  /** Legacy form: subscribers receive the attributes alone. */
  publish(name: string, attributes?: Record<string, unknown>): Promise<void>;
  /** A veto with a code, for a hook to return. */
  veto(reason: string, code?: string): Veto;
}

export const hostEventsHalf = {
  plugin: 'host-events',
  operations: ['subscribe', 'before', 'emit', 'publish'],
  open(link): { readonly bus: ServerBus } {
    let taken: Int32Array | undefined;
    link.answer(counterQuestion, memory => {
      taken = new Int32Array(memory as SharedArrayBuffer);
    });
    const subscribers = callbacks(link, 'subscribe', deliverQuestion, () => void (taken && Atomics.add(taken, 0, 1)));
    const hooks = callbacks(link, 'before', hookQuestion);
    const bus: ServerBus = {
      subscribe: (name, subscriber) => subscribers.add(name, subscriber as (event: EventEnvelope) => unknown),
      async on(name, subscriber) {
        const id = await subscribers.add(name, subscriber as (event: EventEnvelope) => unknown);
        return async () => void (await subscribers.remove(name, id));
      },
      unsubscribe: subscribers.remove,
      // What it answers is read here: not everything can cross, and an error would come with more words.
      before: (name, hook) => hooks.add(name, event => vetoOf(hook, event)),
      unsubscribeBefore: hooks.remove,
      vetoableEvents: () => vetoableEvents,
      emit: (name, input) => link.call('emit', { name, input }),
      publish: (name, attributes) => link.call('publish', { name, attributes }),
      veto: (reason, code = 'vetoed') => ({ reason, code }),
    };
    return { bus };
  },
} satisfies HostHalf<{ readonly bus: ServerBus }>;

/** Functions by name and id (1, 2, 3, ...), which `question` calls. */
function callbacks(link: ServerLink, operation: string, question: string, onCall: () => void = () => undefined) {
  const kept = createKept<(event: EventEnvelope) => unknown>();
  const undos = new Map<number, { name: string; undo: AsyncDisposer }>();
  link.answer(question, delivery => {
    onCall();
    const { key, event } = delivery as Delivery;
    return kept.get(key)?.(event);
  });
  return {
    async add(name: string, callback: (event: EventEnvelope) => unknown): Promise<number> {
      let id = 0;
      const undo = await kept.register(callback, key => {
        id = key;
        return link.call(operation, { name, key });
      });
      undos.set(id, { name, undo });
      return id;
    },
    async remove(name: string, id: number): Promise<boolean> {
      const found = undos.get(id);
      if (found?.name !== name) return false;
      undos.delete(id);
      await found.undo();
      return true;
    },
  };
}
