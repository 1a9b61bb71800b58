/** What was taken down is the same on the other side of its way between two threads. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Item } from '../../../plugins/traffic/handed.ts';
import { pack, unpack } from '../../../plugins/traffic/packed.ts';
import { TapeWriter, transferOf } from '../../../schemas/tape.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const maybe = fc.option(text, { nil: undefined });
const whole = fc.maxSafeNat();
const names = fc.tuple(maybe, maybe, maybe);
const headers = fc.array(maybe, { minLength: 9, maxLength: 9 });
const body = fc.tuple(whole, fc.option(text));
const place = fc.tuple(text, text, text);
const id = fc.oneof(text, fc.integer(), fc.double({ noNaN: true }), fc.constant(null));
const door = fc.constantFrom('mcp' as const, 'rest' as const);
const item: fc.Arbitrary<Item> = fc.oneof(
  fc.tuple(fc.constant('sent' as const), whole, door, text, whole, headers, body),
  fc.tuple(fc.constant('passed on' as const), whole, place),
  fc.tuple(fc.constant('answered' as const), whole, whole, whole, headers, body, fc.boolean()),
  fc.tuple(fc.constant('begun' as const), whole, whole, id, names, place, whole, body),
  fc.tuple(fc.constant('ended' as const), whole, whole, body),
);

test('what is packed comes out as it went in, in its order', () => {
  const tape = new TapeWriter();
  fc.assert(
    fc.property(fc.array(item, { maxLength: 12 }), items => {
      for (const each of items) pack(each, tape);
      const taken = tape.take();
      const there = structuredClone(taken, { transfer: transferOf(taken) });
      expect([...unpack(there)]).toEqual(items);
      tape.reuse(there);
    }),
  );
});
