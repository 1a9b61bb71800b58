/** The way from the thread of the calls to the one that reads: bounded, counted, and there again after its end. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Hop } from '../../../plugins/gateway/hop-api.ts';
import { createCapture } from '../../../plugins/traffic/capture.ts';
import type { Batch, Item } from '../../../plugins/traffic/handed.ts';
import { pack, unpack } from '../../../plugins/traffic/packed.ts';
import { openReader } from '../../../plugins/traffic/reader.ts';
import { TapeWriter } from '../../../schemas/tape.ts';
import { tempDir, waitFor } from '../../helper.ts';

const hop = (): Hop => ({
  ...{ request: undefined, rpc_id: undefined, request_id: 'r-1', trace_id: undefined, session_id: undefined },
  ...{ instance_id: 'i-1', dcc_type: 'maya', url: 'http://127.0.0.1:1/mcp' },
});

test('what finds no room is dropped, counted and told once; what was read makes room', async () => {
  const told: string[] = [];
  const batches: Item[][] = [];
  const capture = createCapture({
    ...{ capacity: 10, maxBodyBytes: 100, nowNs: () => 1, tell: text => void told.push(text) },
    handOver: ({ items }) => batches.push([...unpack(items)]) > 0,
  });
  const hops = Array.from({ length: 8 }, hop);
  for (const each of hops) capture.begun(each, '{}');
  capture.give();
  // Handed on, they still count until they were read.
  for (const each of hops) capture.ended(each, '{}');
  capture.give();
  expect(batches.map(each => each.length)).toEqual([8, 2]);
  expect(capture.dropped()).toBe(6);
  expect(told).toEqual(['10 frames wait to be captured: newer frames are dropped']);
  expect([capture.handled(), capture.handled()]).toEqual([8, 2]);
  expect(told[1]).toMatch(/captured again: 6 frames were dropped/);
  capture.begun(hop(), 'x'.repeat(101));
  await waitFor(() => batches.length === 3, 'the next batch, by itself');
  expect(batches[2]?.[0]?.at(-1)).toEqual([101, null]);
});

test('a thread that ends is told of, what it had is lost, and another one goes on', async () => {
  const path = join(await tempDir(), 't.jsonl');
  const told: string[] = [];
  const handled: boolean[] = [];
  const reader = await openReader({
    data: {
      settings: { capacity: 10, maxBodyBytes: 1000, filters: { include: [], exclude: [] }, replacements: [] },
      files: [{ path, maxBytes: 1e6 }],
    },
    onHandled: (_, memory) => handled.push(memory === undefined),
    tell: text => told.push(text),
  });
  const begun: Item = ['begun', 1, 0, null, ['r-1', undefined, undefined], ['i', 'maya', 'http://h/mcp'], 5, [2, '{}']];
  const batch = (): Batch => {
    const tape = new TapeWriter();
    pack(begun, tape);
    return { what: 'batch', items: tape.take(), ended: { exchanges: [], hops: [] }, source: '{}', wanted: false };
  };
  expect(reader.read(batch())).toBe(true);
  await waitFor(() => handled.length === 1 && reader.state().sinks[0]?.written === 1, 'the first frame');
  // Nothing that comes from outside ends it; this is no batch.
  reader.read({ ...batch(), ended: undefined as unknown as Batch['ended'] });
  await waitFor(() => handled.length === 2, 'its end');
  expect(handled).toEqual([false, true]);
  expect(told).toEqual([expect.stringMatching(/has ended \(.+\): it is started again/)]);
  expect(reader.read(batch())).toBe(false);
  await waitFor(() => reader.read(batch()), 'another thread');
  await reader.flush(2000);
  expect(reader.state()).toMatchObject({ captured: 2, refused: { excluded: 0 } });
  await reader.close();
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines.map(each => JSON.parse(each).attributes.leg)).toEqual(['gateway_to_adapter', 'gateway_to_adapter']);
});

test('batches that come faster than they are written wait for each other: nothing is lost', async () => {
  const path = join(await tempDir(), 't.jsonl');
  let handled = 0;
  const reader = await openReader({
    data: {
      settings: { capacity: 10, maxBodyBytes: 1000, filters: { include: [], exclude: [] }, replacements: [] },
      files: [{ path, maxBytes: 1e6 }],
    },
    onHandled: () => (handled += 1),
    tell: text => expect.unreachable(text),
  });
  const tape = new TapeWriter();
  for (let number = 0; number < 200; number += 1) {
    pack(
      ['begun', number, 0, null, [`r-${number}`, undefined, undefined], ['i', 'maya', 'http://h/mcp'], 5, [2, '{}']],
      tape,
    );
    if (number % 8 < 7) continue;
    const items = tape.take();
    reader.read({ what: 'batch', items, ended: { exchanges: [], hops: [] }, source: '{}', wanted: false });
  }
  await reader.flush(5000);
  expect(handled).toBe(25);
  expect(reader.state().sinks).toMatchObject([{ written: 200, lost: 0 }]);
  await reader.close();
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines.map(each => JSON.parse(each).correlation.request_id)).toEqual(lines.map((_, number) => `r-${number}`));
});
