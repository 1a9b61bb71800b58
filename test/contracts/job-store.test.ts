import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createScope } from '../../kernel/index.ts';
import type { JobRow } from '../../plugins/jobs/api.ts';
import { createLedger } from '../../plugins/jobs/ledger.ts';
import { createMemoryStore } from '../../plugins/jobs/memory-store.ts';
import { openDriver } from '../../plugins/jobs/persistence.ts';
import type { JobStore } from '../../plugins/jobs/store.ts';
import { createStorage } from '../../plugins/storage/storage.ts';
import { tempDir, testConfig } from '../helper.ts';
import { slow } from './slow.ts';

async function sqlite(path?: string): Promise<JobStore> {
  const scope = createScope('test');
  onTestFinished(() => scope.dispose());
  const config = testConfig({ job_storage_path: path ?? join(await tempDir(), 'jobs.db') });
  const driver = await openDriver({ config, storage: createStorage(scope) });
  if (!driver) throw new Error('no driver for a path');
  return driver.store;
}

const drivers: Record<string, () => Promise<JobStore>> = {
  memory: async () => createMemoryStore(100),
  sqlite,
  'slow memory': async () => slow<JobStore>(createMemoryStore(100)),
  'slow sqlite': async () => slow(await sqlite()),
};

const row = (job_id: string, more: Partial<JobRow> = {}): JobRow => ({
  job_id,
  parent_job_id: null,
  owner: null,
  tool: 'work',
  status: 'pending',
  progress: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  started_at: null,
  completed_at: null,
  error: null,
  result: null,
  output: null,
  ...more,
});
const whole = row('whole', {
  parent_job_id: 'p',
  owner: 'studio-a',
  status: 'failed',
  progress: { current: 1, total: 2, message: 'half' },
  updated_at: '2026-01-02T00:00:00.000Z',
  started_at: '2026-01-01T00:00:01.000Z',
  completed_at: '2026-01-02T00:00:00.000Z',
  error: 'no disk',
  result: '{"content":[],"isError":true}',
  output: { dir: '/tmp/out', extensions: ['.exr'] },
});

describe.each(Object.entries(drivers))('the contract of a job store: %s', (_name, open) => {
  test('a row comes back as it was saved; saving it again replaces it; an unknown id is undefined', async () => {
    const store = await open();
    await store.save([whole, row('other')]);
    expect(await store.get('whole')).toEqual(whole);
    await store.save([{ ...whole, error: null, output: null, progress: null }]);
    expect(await store.get('whole')).toEqual({ ...whole, error: null, output: null, progress: null });
    expect(await store.get('other')).toEqual(row('other'));
    expect(await store.get('nobody')).toBeUndefined();
    await store.save([]);
  });

  test('of rows of one job in one save, the last counts', async () => {
    const store = await open();
    await store.save([row('a'), row('a', { status: 'running' })]);
    expect((await store.get('a'))?.status).toBe('running');
  });

  test('unfinished rows come oldest first, terminal ones not at all', async () => {
    const store = await open();
    await store.save([row('first'), whole, row('second', { created_at: '2026-01-01T00:00:05.000Z' })]);
    await store.save([row('first', { status: 'running' })]);
    expect((await store.unfinished()).map(each => [each.job_id, each.status])).toEqual([
      ['first', 'running'],
      ['second', 'pending'],
    ]);
  });

  test('the newest are those created last, as many as are asked for, without their results', async () => {
    const store = await open();
    const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
    await store.save([
      row('a', { created_at: at(1) }),
      row('b', { created_at: at(2), status: 'completed', result: '{}' }),
    ]);
    await store.save([row('c', { created_at: at(3) })]);
    await store.save([row('a', { created_at: at(1), status: 'running' })]);
    expect((await store.newest(10)).map(each => [each.job_id, each.status, each.result])).toEqual([
      ['c', 'pending', null],
      ['b', 'completed', null],
      ['a', 'running', null],
    ]);
    expect((await store.newest(2)).map(each => each.job_id)).toEqual(['c', 'b']);
  });

  test('the newest of one owner are as many as are asked for, whoever began others since', async () => {
    const store = await open();
    const owners = ['farm', 'farm for ann', null, 'far', 'other', 'other', 'other'];
    await store.save(owners.map((owner, at) => row(`${at}`, { created_at: `2026-01-01T00:00:0${at}.000Z`, owner })));
    const newest = async (limit: number, owner: string, behind: boolean) =>
      (await store.newest(limit, { owner, behind })).map(each => each.job_id);
    expect(await newest(2, 'farm', false)).toEqual(['2', '0']);
    expect(await newest(9, 'farm', true)).toEqual(['2', '1', '0']);
    expect(await newest(9, '', false)).toEqual(['2']);
    expect(await newest(1, 'far', false)).toEqual(['3']);
  });

  test('prune removes terminal rows older than asked and no others, and says how many', async () => {
    const store = await open();
    const ended = (id: string, updated_at: string) => row(id, { status: 'completed', result: '{}', updated_at });
    await store.save([row('open'), ended('old', '2025-01-01'), ended('new', '2026-01-01')]);
    expect(await store.prune('2026-01-01')).toBe(1);
    expect(await store.prune('2026-01-01')).toBe(0);
    expect([await store.get('old'), (await store.get('new'))?.status]).toEqual([undefined, 'completed']);
    expect(await store.prune('~')).toBe(1);
    expect((await store.get('open'))?.status).toBe('pending');
  });
});

test('sqlite: what was saved is there for the next process, and a save of several rows is all or none', async () => {
  const path = join(await tempDir(), 'jobs.db');
  const scope = createScope('first');
  const first = await openDriver({ config: testConfig({ job_storage_path: path }), storage: createStorage(scope) });
  await first?.store.save([whole]);
  const other = new Sqlite(path);
  other.exec("CREATE TRIGGER stop BEFORE INSERT ON jobs WHEN NEW.job_id = 'b' BEGIN SELECT RAISE(ABORT, 'no'); END");
  other.close();
  await expect((async () => first?.store.save([row('a'), row('b')]))()).rejects.toThrow('no');
  await scope.dispose();
  const second = await sqlite(path);
  expect(await second.get('whole')).toEqual(whole);
  expect(await second.get('a')).toBeUndefined();
});

describe('the ledger over a driver that answers later', () => {
  /** A driver whose writes end when the test says so. */
  function held() {
    const memory = createMemoryStore(100);
    const writes: { rows: readonly JobRow[]; settle(error?: Error): void }[] = [];
    const logged: unknown[] = [];
    const note = (...given: unknown[]) => void logged.push(given);
    const store: JobStore = {
      ...memory,
      save: rows =>
        new Promise((resolve, reject) => {
          writes.push({
            rows,
            settle(error) {
              if (error) return reject(error);
              memory.save(rows);
              resolve();
            },
          });
        }),
    };
    const driver = { store, kindOf: () => 'busy' as const };
    const ledger = createLedger({ memory: createMemoryStore(1), driver, log: { warn: note, error: note } as never });
    return { ledger, writes, memory, logged };
  }
  const turn = () => new Promise(resolve => setImmediate(resolve));

  test('one write at a time; rows that come meanwhile go with the next, the newest of each job', async () => {
    const { ledger, writes, memory } = held();
    const told: string[] = [];
    const save = (given: JobRow) =>
      Promise.resolve(ledger.save(given)).then(() => told.push(`${given.job_id} ${given.status}`));
    const all = [
      save(row('a')),
      save(row('a', { status: 'running' })),
      save(row('b')),
      save(row('a', { status: 'failed' })),
    ];
    await turn();
    expect([writes.length, told]).toEqual([1, []]);
    writes[0]?.settle();
    await turn();
    expect(told).toEqual(['a pending']);
    expect(writes[1]?.rows.map(each => [each.job_id, each.status])).toEqual([
      ['a', 'failed'],
      ['b', 'pending'],
    ]);
    writes[1]?.settle();
    await Promise.all(all);
    expect(told).toEqual(['a pending', 'a running', 'b pending', 'a failed']);
    expect([writes.length, memory.get('a')?.status]).toEqual([2, 'failed']);
  });

  test('a write that fails is reported, its rows follow with the next; three failures of a kind end the attempts', async () => {
    const { ledger, writes, memory, logged } = held();
    const first = ledger.save(row('a'));
    writes[0]?.settle(new Error('away'));
    await first;
    expect(ledger.health()).toEqual({ state: 'degraded', consecutive_failures: 1, last_error_kind: 'busy' });
    expect([logged.length, await ledger.get('a')]).toEqual([1, row('a')]);
    const second = ledger.save(row('b'));
    writes[1]?.settle();
    await second;
    expect([memory.get('a'), memory.get('b'), ledger.health().state]).toEqual([row('a'), row('b'), 'healthy']);
    for (let n = 2; n < 5; n += 1) {
      const next = ledger.save(row(`c${n}`));
      writes[n]?.settle(new Error('away'));
      await next;
    }
    await ledger.save(row('d'));
    expect([writes.length, ledger.health()]).toEqual([
      5,
      { state: 'disabled', consecutive_failures: 3, last_error_kind: 'busy' },
    ]);
    expect(await ledger.get('d')).toEqual(row('d'));
  });

  test('close waits for what is under way, tries once more what is missing, and says what it could not store', async () => {
    const { ledger, writes, memory, logged } = held();
    void ledger.save(row('a'));
    let closed = false;
    const closing = ledger.close().then(() => {
      closed = true;
    });
    await turn();
    expect(closed).toBe(false);
    writes[0]?.settle(new Error('away'));
    await turn();
    expect([closed, writes.length]).toEqual([false, 2]);
    writes[1]?.settle();
    await closing;
    expect([memory.get('a'), logged.length]).toEqual([row('a'), 1]);

    const lost = held();
    void lost.ledger.save(row('a'));
    lost.writes[0]?.settle(new Error('away'));
    await turn();
    const last = lost.ledger.close();
    lost.writes[1]?.settle(new Error('away'));
    await last;
    expect(lost.logged.at(-1)).toEqual([{ jobs: 1, kind: 'busy' }, expect.stringContaining('not stored')]);
  });

  test('a prune comes after the writes before it, and a row that was evicted from memory is still found', async () => {
    const { ledger, writes, memory } = held();
    const ended = row('a', { status: 'completed', result: '{}' });
    void ledger.save(ended);
    const removed = ledger.prune('~');
    await turn();
    writes[0]?.settle();
    expect([await removed, memory.get('a')]).toEqual([1, undefined]);
    for (const job_id of ['b', 'c']) {
      const saved = ledger.save({ ...ended, job_id });
      expect((await ledger.get('b'))?.job_id).toBe('b');
      writes.at(-1)?.settle();
      await saved;
    }
    expect((await ledger.get('b'))?.job_id).toBe('b');
  });
});
