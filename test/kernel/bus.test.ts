import { expect, test } from 'vitest';
import { createBus } from '../../kernel/bus.ts';
import { createIds, type EventEnvelope } from '../../kernel/index.ts';

function makeBus() {
  const failures: [string, unknown][] = [];
  const bus = createBus(createIds(), (name, error) => void failures.push([name, error]));
  const seen: string[] = [];
  const record = (label: string) => (event: EventEnvelope) => void seen.push(`${label}:${event.name}`);
  return { bus, failures, seen, record };
}

test('event bus: exact, prefix.* and * subscriptions each receive what matches [spec:bus:exact spec:bus:prefix spec:bus:catch-all]', () => {
  const { bus, seen, record } = makeBus();
  bus.on('tool.completed', record('exact'));
  bus.on('tool.*', record('prefix'));
  bus.on('*', record('all'));
  bus.emit('tool.completed');
  bus.emit('tool.failed');
  bus.emit('toolbox.opened');
  expect(seen.sort()).toEqual([
    'all:tool.completed',
    'all:tool.failed',
    'all:toolbox.opened',
    'exact:tool.completed',
    'prefix:tool.completed',
    'prefix:tool.failed',
  ]);
});

test('event bus: emit gives subscribers and caller the same envelope [spec:bus:emit spec:envelope:fields spec:envelope:id spec:envelope:timestamp spec:version:event-schema]', () => {
  const { bus } = makeBus();
  const received: EventEnvelope[] = [];
  bus.on('a.b', event => void received.push(event));
  const input = { source: { x: 1 }, correlation: { y: 2 }, attributes: { z: 3 } };
  const sent = bus.emit('a.b', input);
  expect(received[0]).toBe(sent);
  const given = { id: expect.stringMatching(/^ev_\S+$/), timestamp_ns: expect.any(Number) };
  expect(sent).toEqual({ schema_version: 1, name: 'a.b', ...given, ...input });
  expect(Math.abs(sent.timestamp_ns / 1e6 - Date.now())).toBeLessThan(1000);
  expect(new Set(Array.from({ length: 1000 }, () => bus.emit('x.y').id)).size).toBe(1000);
});

test('event bus: publish is the legacy form, subscribers receive the attributes alone [spec:bus:publish]', () => {
  const { bus } = makeBus();
  const received: unknown[] = [];
  bus.on('*', event => void received.push(event));
  bus.publish('a', { x: 1 });
  bus.publish('b');
  expect(received).toEqual([{ x: 1 }, {}]);
});

test('event bus: every callback is isolated, a throw or a rejection reaches no other and not the emitter [spec:bus:isolation]', async () => {
  const { bus, failures, seen, record } = makeBus();
  bus.on('a', () => {
    throw new Error('thrown');
  });
  bus.on('a', () => Promise.reject(new Error('rejected')));
  bus.on('a', record('good'));
  expect(() => bus.emit('a')).not.toThrow();
  await new Promise(resolve => setImmediate(resolve));
  expect(seen).toEqual(['good:a']);
  expect(failures.map(([name, error]) => [name, (error as Error).message])).toEqual([
    ['a', 'thrown'],
    ['a', 'rejected'],
  ]);
});

test('event bus: who subscribes or unsubscribes during an emit does not disturb it [spec:bus:reentrant]', () => {
  const { bus, seen, record } = makeBus();
  bus.on('a', () => void bus.on('a', record('late')));
  const leave = bus.on('b', () => void leave());
  bus.on('b', record('kept'));
  bus.emit('a');
  bus.emit('b');
  expect(seen).toEqual(['kept:b']);
  bus.emit('a');
  expect(seen).toEqual(['kept:b', 'late:a']);
});

test('event bus: an event named like a wildcard or like an object member hurts nobody', () => {
  const { bus, failures, seen, record } = makeBus();
  bus.on('*', record('all'));
  bus.on('x.*', record('x'));
  for (const name of ['*', '', 'x.*', '__proto__', 'constructor']) expect(bus.emit(name).name).toBe(name);
  expect(failures).toEqual([]);
  expect(seen).toContain('all:__proto__');
  expect(seen).toContain('x:x.*');
});

test('event bus: wants says whether anyone would receive an event', () => {
  const { bus } = makeBus();
  expect(bus.wants('a.b')).toBe(false);
  const undo = bus.on('a.*', () => undefined);
  bus.on('c', () => undefined);
  expect([bus.wants('a.b'), bus.wants('a'), bus.wants('c'), bus.wants('cc')]).toEqual([true, false, true, false]);
  void undo();
  expect(bus.wants('a.b')).toBe(false);
  bus.on('*', () => undefined);
  expect(bus.wants('anything')).toBe(true);
});

test('event bus: on returns its undo, which may run twice', () => {
  const { bus, seen, record } = makeBus();
  const subscriber = record('x');
  const undos = [bus.on('a.b', subscriber), bus.on('a.b', subscriber), bus.on('a.*', record('p'))];
  bus.emit('a.b');
  void undos[0]?.();
  void undos[0]?.();
  bus.emit('a.b');
  for (const undo of undos) void undo();
  bus.emit('a.b');
  expect(seen).toEqual(['x:a.b', 'x:a.b', 'p:a.b', 'x:a.b', 'p:a.b']);
  expect(bus.wants('a.b')).toBe(false);
});

test('event bus: internal events reach only who names them', () => {
  const { bus, seen, record } = makeBus();
  for (const pattern of ['*', 'i*', 'internal.*', 'internal.a', 'internal.b.*']) bus.on(pattern, record(pattern));
  bus.emit('internal.a');
  bus.emit('internal.b.c');
  expect(seen).toEqual([
    'internal.a:internal.a',
    'internal.*:internal.a',
    'internal.*:internal.b.c',
    'internal.b.*:internal.b.c',
  ]);
  const { bus: other } = makeBus();
  other.on('*', () => undefined);
  expect([other.wants('internal.a'), other.wants('a')]).toEqual([false, true]);
});
