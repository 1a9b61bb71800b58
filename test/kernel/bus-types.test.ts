/** Events are typed by declaration merging: `tsc` (npm run typecheck) checks every line here. */
import { expect, expectTypeOf, test } from 'vitest';
import { createBus } from '../../kernel/bus.ts';
import {
  type Bus,
  createIds,
  type EventAttributes,
  type EventEnvelope,
  type EventInput,
  type EventRecord,
} from '../../kernel/index.ts';

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'kitchen.opened': { cook: string; seats: number };
  }
}

type KitchenInput = EventInput<{ cook: string; seats: number }>;
const bus: Bus = createBus(createIds(), () => undefined);

test('bus types: a declared name has typed attributes, for who emits and for who listens', () => {
  const cooks: string[] = [];
  const undo = bus.on('kitchen.opened', event => {
    expectTypeOf(event).toEqualTypeOf<EventEnvelope<{ cook: string; seats: number }>>();
    cooks.push(event.attributes.cook);
  });
  const sent = bus.emit('kitchen.opened', { attributes: { cook: 'Ada', seats: 4 } });
  expectTypeOf(sent.attributes.seats).toEqualTypeOf<number>();
  // Nothing else is taken: a cook is a name, and an event brings all that it declares.
  expectTypeOf<{ cook: number; seats: number }>().not.toExtend<EventAttributes<'kitchen.opened'>>();
  expectTypeOf<{ cook: string }>().not.toExtend<EventAttributes<'kitchen.opened'>>();
  expectTypeOf(bus.emit<'kitchen.opened'>)
    .parameter(1)
    .toEqualTypeOf<KitchenInput | undefined>();
  void undo();
  expect(cooks).toEqual(['Ada']);
});

test('bus types: any other name, a wildcard and a computed name carry a record', () => {
  const name = ['studio', 'saved'].join('.');
  for (const each of [name, 'studio.saved', 'studio.*', '*'] as const) {
    const undo = bus.on(each, event => expectTypeOf(event.attributes).toEqualTypeOf<EventRecord>());
    void undo();
  }
  bus.on('studio.saved', event => expectTypeOf(event.attributes).toEqualTypeOf<EventRecord>());
  expectTypeOf(bus.emit(name, { attributes: { anything: 1 } })).toEqualTypeOf<EventEnvelope>();
  expect(bus.wants('studio.saved')).toBe(true);
});
