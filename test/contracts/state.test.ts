/** The contracts of sessions, subscriptions, call owners and the outbox; every driver passes them. */
import { describe, expect, test } from 'vitest';
import { createMemoryOutbox, createMemoryOwners } from '../../plugins/gateway/delivery/memory-store.ts';
import type { CallOwners, Outbox } from '../../plugins/gateway/delivery/store.ts';
import { createMemorySessions } from '../../plugins/mcp/sessions/memory-store.ts';
import type { SessionStore } from '../../plugins/mcp/sessions/store.ts';
import { createMemorySubscriptions } from '../../plugins/resources/memory-store.ts';
import type { SubscriptionStore } from '../../plugins/resources/store.ts';
import { slow } from './slow.ts';

/** A driver, and the same answering later. */
const drivers = <T extends object>(memory: () => T): [string, () => T][] => [
  ['memory', memory],
  ['slow memory', () => slow(memory())],
];

describe.each(drivers<SessionStore>(createMemorySessions))('the contract of a session store: %s', (_name, open) => {
  const record = (id: string, logLevel = 1) => ({
    id,
    protocolVersion: '2025-06-18',
    clientInfo: { name: 'n', version: '1' },
    clientCapabilities: { roots: {} },
    logLevel,
  });

  test('a record comes back as it was saved, is replaced by the next, and is gone once removed', async () => {
    const store = open();
    await store.save(record('a'));
    await store.save(record('b'));
    expect(await store.get('a')).toEqual(record('a'));
    await store.save(record('a', 5));
    expect((await store.get('a'))?.logLevel).toBe(5);
    await store.remove('a');
    await store.remove('a');
    expect([await store.get('a'), await store.get('b'), await store.get('c')]).toEqual([
      undefined,
      record('b'),
      undefined,
    ]);
  });
});

describe.each(drivers<SubscriptionStore>(createMemorySubscriptions))(
  'the contract of a subscription store: %s',
  (_name, open) => {
    const followers = async (store: SubscriptionStore, uri: string) =>
      (await store.followers(uri)).map(([followed, ids]) => [followed, [...ids].sort()]).sort();

    test('followers of a URI and of the same URI with a query, each once per session', async () => {
      const store = open();
      for (const [session, uri] of [
        ['s1', 'a://x'],
        ['s2', 'a://x'],
        ['s1', 'a://x'],
        ['s1', 'a://x?n=1'],
        ['s1', 'a://xy'],
      ] as const)
        await store.add(session, uri);
      expect(await followers(store, 'a://x')).toEqual([
        ['a://x', ['s1', 's2']],
        ['a://x?n=1', ['s1']],
      ]);
      expect(await followers(store, 'a://none')).toEqual([]);
      await store.remove('s1', ['a://x', 'a://x?n=1', 'a://never']);
      expect(await followers(store, 'a://x')).toEqual([['a://x', ['s2']]]);
      await store.remove('s2', ['a://x']);
      expect([await followers(store, 'a://x'), await followers(store, 'a://xy')]).toEqual([[], [['a://xy', ['s1']]]]);
    });
  },
);

describe.each(drivers<CallOwners>(createMemoryOwners))('the contract of call owners: %s', (_name, open) => {
  test('the owner of a job is who was set last; an unknown job has none', async () => {
    const owners = open();
    await owners.set('j', { instance_id: 'i', sessionId: undefined });
    await owners.set('j', { instance_id: 'i', sessionId: 's' });
    expect([await owners.get('j'), await owners.get('k')]).toEqual([{ instance_id: 'i', sessionId: 's' }, undefined]);
  });
});

describe.each(drivers<Outbox>(createMemoryOutbox))('the contract of an outbox: %s', (_name, open) => {
  test('notices of a job come out once, in the order in which they were put in', async () => {
    const outbox = open();
    for (const [job, method] of [
      ['j', '1'],
      ['k', 'x'],
      ['j', '2'],
      ['j', '3'],
    ] as const)
      await outbox.put(job, { method, params: { job } });
    expect((await outbox.take('j')).map(each => each.method)).toEqual(['1', '2', '3']);
    expect([await outbox.take('j'), await outbox.take('none')]).toEqual([[], []]);
    expect(await outbox.take('k')).toEqual([{ method: 'x', params: { job: 'k' } }]);
  });
});
