import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dependencyOrder } from '../../schemas/dependency-order.ts';

const refuse = (circle: string): Error => new Error(circle);

test('each stands after what it needs, what nobody asked for too, otherwise as given', () => {
  const needs: Record<string, string[]> = { app: ['bus', 'log'], bus: ['ids'], log: ['ids'] };
  const order = (...names: string[]) => dependencyOrder(names, name => needs[name] ?? [], refuse);
  expect(order('free', 'app', 'log')).toEqual(['free', 'ids', 'bus', 'log', 'app']);
  expect(order()).toEqual([]);
});

test('any needs without a circle are kept, every name once', () => {
  const numbers = fc.array(fc.array(fc.nat(30), { maxLength: 5 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(numbers, rows => {
      // Of the names before it alone: no circle can be.
      const needsOf = (name: string) => (rows[Number(name)] ?? []).filter(each => each < Number(name)).map(String);
      const names = [...rows.keys()].reverse().map(String);
      const order = dependencyOrder(names, needsOf, refuse);
      expect([...order].sort()).toEqual([...names].sort());
      for (const [at, name] of order.entries())
        expect(order.slice(0, at)).toEqual(expect.arrayContaining(needsOf(name)));
    }),
  );
});

test('a circle is refused, without what led to it', () => {
  const needs: Record<string, string[]> = { first: ['a'], a: ['b'], b: ['a'], self: ['self'] };
  const order = (name: string) => dependencyOrder([name], each => needs[each] ?? [], refuse);
  expect(() => order('first')).toThrow(/^a -> b -> a$/);
  expect(() => order('self')).toThrow(/^self -> self$/);
});
