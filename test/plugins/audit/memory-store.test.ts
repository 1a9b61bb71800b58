/** Records without a directory: the newest, whoever reads meanwhile, and what cannot be kept is counted. */
import { expect, test } from 'vitest';
import { createMemoryStore, keptInMemory } from '../../../plugins/audit/records/memory-store.ts';
import { createRows } from '../../../plugins/audit/records/rows.ts';
import { accounting } from '../../../schemas/token-accounting.ts';
import { record } from './sample.ts';

const rows = createRows({ accounting, toon: String });

type Store = ReturnType<typeof createMemoryStore>;

async function read<K extends 'calls' | 'traces'>(store: Store, kind: K) {
  const found = [];
  for await (const some of store.rows(kind)) found.push(...some);
  return found;
}

const named = async (store: Store, kind: 'calls' | 'traces' = 'calls') =>
  (await read(store, kind)).map(row => row()?.request_id);

const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `${from + index}`);

test('the newest stay, in their order, however many came and whoever reads between', async () => {
  const store = createMemoryStore(rows);
  expect(await named(store)).toEqual([]);
  for (const name of names(0, 10)) store.add(record(name));
  expect(await named(store)).toEqual(names(0, 10));
  expect(await named(store, 'traces')).toEqual(names(0, 10));
  for (let from = 10; from < 3000; from += 115) {
    for (const name of names(from, from + 115)) store.add(record(name));
    const all = names(0, from + 115);
    expect(await named(store)).toEqual(all.slice(-keptInMemory));
  }
  await store.close();
});

test('rows that are looked at late are those of their time: memory that is used again is not theirs', async () => {
  const store = createMemoryStore(rows);
  for (const name of names(0, 600)) store.add(record(name));
  const early = await read(store, 'calls');
  for (const name of names(600, 3000)) {
    store.add(record(name));
    if (Number(name) % 100 === 0) await named(store);
  }
  expect(early.map(row => row()?.request_id)).toEqual(names(600 - keptInMemory, 600));
  await store.close();
});

test('what is no JSON is not kept, and counted; how an answer went out may be noted a moment after', async () => {
  const store = createMemoryStore(rows);
  const late = record('late');
  store.add(late);
  store.add(record('odd', 1n));
  late.format = 'toon';
  late.originalBytes = 40;
  late.returnedBytes = 30;
  await new Promise(resolve => setTimeout(resolve, 20));
  const kept = await read(store, 'calls');
  expect(kept.map(row => row()?.token_accounting?.response_format)).toEqual(['toon']);
  expect(store.status()).toMatchObject({ durable: false, dropped: 1 });
  await store.close();
});
