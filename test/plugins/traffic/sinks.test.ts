/** The contract of sinks, of every driver, and the outlet before each: bounded, told once, flushed within its time. */
import { appendFile, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScope } from '../../../kernel/index.ts';
import { createStorage } from '../../../plugins/storage/storage.ts';
import type { TrafficFrame } from '../../../plugins/traffic/events.ts';
import { createJsonlSink, type JsonlOptions } from '../../../plugins/traffic/jsonl-sink.ts';
import { createLiveSink } from '../../../plugins/traffic/live-sink.ts';
import { createOutlet } from '../../../plugins/traffic/outlet.ts';
import { createFrameQueue, createLineQueue } from '../../../plugins/traffic/queue.ts';
import { Captured, type Sink } from '../../../plugins/traffic/sink.ts';
import { openSqliteSink } from '../../../plugins/traffic/sqlite-sink.ts';
import { tempDir, waitFor } from '../../helper.ts';

function frame(number: number, text = 'x'): Captured {
  const attributes: TrafficFrame = {
    ...{
      capture_id: `cap_${number}`,
      direction: 'inbound',
      leg: 'client_to_gateway',
      transport: 'http',
      captured_ns: number,
    },
    http: { method: 'POST', url: '/v1/call', headers: {} },
    mcp: { kind: 'request', method: 'tools/call', id: number },
    body: { data: { text }, size_bytes: text.length, redacted_paths: [] },
  };
  const event = {
    ...{ schema_version: 1, name: 'traffic.frame', id: `ev_${number}`, timestamp_ns: number },
    ...{ source: {}, correlation: {}, attributes },
  };
  return new Captured(JSON.stringify(event), text.length);
}

/** Of a file of lines, which takes them as bytes. */
const jsonlSink = (options: JsonlOptions): Sink => {
  const sink = createJsonlSink(options);
  const queue = createLineQueue();
  return {
    ...sink,
    async write(frames) {
      for (const each of frames) queue.add(each);
      while (queue.frames > 0) await sink.write(queue.take().batch);
    },
  };
};

const idsIn = (lines: readonly string[]): string[] => lines.map(line => JSON.parse(line).id);

/** A sink, and the ids of what it keeps, read as its readers read it. */
const drivers: Record<string, () => Promise<{ sink: Sink; kept(): Promise<string[]> }>> = {
  async jsonl() {
    const path = join(await tempDir(), 'deep', 't.jsonl');
    const sink = jsonlSink({ path, maxBytes: 1e6 });
    return { sink, kept: async () => idsIn((await readFile(path, 'utf8')).trimEnd().split('\n')) };
  },
  async sqlite() {
    const path = join(await tempDir(), 't.db');
    const scope = createScope('test');
    const sink = await openSqliteSink(path, createStorage(scope));
    const kept = async () => {
      await scope.dispose();
      const { default: Sqlite } = await import('better-sqlite3');
      const database = new Sqlite(path, { readonly: true });
      const rows = database.prepare('SELECT envelope_json FROM traffic_frames ORDER BY id').pluck().all() as string[];
      database.close();
      return idsIn(rows);
    };
    return { sink, kept };
  },
  async admin_live() {
    const sink = createLiveSink(100);
    return { sink, kept: async () => sink.kept().map(each => each.event.id) };
  },
};

test.each(Object.keys(drivers))('contract of %s: batches in order, none twice, an empty one is nothing', async name => {
  const { sink, kept } = (await drivers[name]?.()) ?? {};
  if (!sink || !kept) throw new Error('no such driver');
  expect(sink.kind).toBe(name);
  expect(sink.place).not.toBe('');
  await sink.write([frame(1), frame(2, 'ü\n"')]);
  await sink.write([]);
  await sink.write(Array.from({ length: 50 }, (_, index) => frame(index + 3)));
  const ids = Array.from({ length: 52 }, (_, index) => `ev_${index + 1}`);
  expect(await kept()).toEqual(ids);
  await sink.close();
});

test('live: only the newest stay, their numbers go on, and who follows hears each once', async () => {
  const sink = createLiveSink(3);
  const heard: number[] = [];
  const undo = sink.follow(({ number }) => heard.push(number));
  for (let number = 1; number <= 10; number += 1) await sink.write([frame(number)]);
  expect(sink.kept().map(each => each.number)).toEqual([8, 9, 10]);
  void undo();
  await sink.write([frame(11)]);
  expect(heard).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('jsonl: it is turned over, one older stays; a torn last line of a crash stays on a line of its own', async () => {
  const path = join(await tempDir(), 't.jsonl');
  await appendFile(path, '{"torn":');
  const sink = jsonlSink({ path, maxBytes: 2000 });
  for (let number = 1; number <= 20; number += 1) await sink.write([frame(number, 'y'.repeat(100))]);
  await sink.close();
  expect((await stat(path)).size).toBeLessThanOrEqual(2000);
  expect((await stat(`${path}.1`)).size).toBeLessThanOrEqual(2000);
  await expect(stat(`${path}.2`)).rejects.toThrow();
  // A batch that is larger than a file.
  const other = jsonlSink({ path: `${path}.x`, maxBytes: 1000 });
  await other.write([frame(1, 'z'.repeat(200)), frame(2, 'z'.repeat(200)), frame(3, 'z'.repeat(200))]);
  await other.close();
  expect((await readFile(`${path}.x`, 'utf8')) + (await readFile(`${path}.x.1`, 'utf8'))).toContain('ev_3');
});

test('trouble is told once, what is lost is counted, and that it is over is told too', async () => {
  const folder = join(await tempDir(), 'sub');
  const path = join(folder, 't.jsonl');
  const told: string[] = [];
  const outlet = createOutlet(createJsonlSink({ path, maxBytes: 1e6 }), createLineQueue(), {
    capacity: 100,
    tell: text => told.push(text),
  });
  // A file where its folder should be: no line can be written.
  await appendFile(folder, '');
  for (let number = 1; number <= 3; number += 1) {
    outlet.offer(frame(number));
    await waitFor(() => outlet.state().waiting === 0 && outlet.state().lost === number, 'the loss');
  }
  expect(told).toEqual([expect.stringMatching(/captured traffic is lost until that is over \(jsonl, .*t\.jsonl\)/)]);
  expect(outlet.state()).toMatchObject({ written: 0, lost: 3, last_error: expect.stringMatching(/EEXIST|ENOTDIR/) });
  await rm(folder);
  await mkdir(folder);
  outlet.offer(frame(4));
  await waitFor(() => outlet.state().written === 1, 'the line');
  expect(told[1]).toMatch(/kept again, 3 frames were lost/);
  expect(outlet.state().last_error).toBe(null);
  await outlet.flush(1000);
  expect(idsIn((await readFile(path, 'utf8')).trimEnd().split('\n'))).toEqual(['ev_4']);
});

test('a sink that hangs: newer frames are dropped and counted, and the end does not wait for it', async () => {
  const told: string[] = [];
  const hanging: Sink = {
    kind: 'jsonl',
    place: 'a disk',
    write: () => new Promise(() => undefined),
    close: () => new Promise(() => undefined),
  };
  const outlet = createOutlet(hanging, createFrameQueue(), { capacity: 10, tell: text => told.push(text) });
  for (let number = 0; number < 30; number += 1) outlet.offer(frame(number));
  expect(outlet.state()).toMatchObject({ waiting: 10, lost: 20 });
  await waitFor(() => outlet.state().waiting === 0, 'the first batch');
  for (let number = 0; number < 5; number += 1) outlet.offer(frame(number));
  const began = performance.now();
  await outlet.flush(100);
  expect(performance.now() - began).toBeLessThan(1500);
  expect(told.length).toBe(2);
  expect(told[1]).toMatch(/5 captured frames were not written when the server stopped/);
});

test('bodies that wait are bounded by their size, too', () => {
  const hanging: Sink = {
    kind: 'jsonl',
    place: 'a disk',
    write: () => new Promise(() => undefined),
    close: async () => undefined,
  };
  const outlet = createOutlet(hanging, createFrameQueue(), { capacity: 1e6, tell: () => undefined });
  const large = frame(1, 'x'.repeat(8 * 1024 * 1024));
  for (let number = 0; number < 12; number += 1) outlet.offer(large);
  expect(outlet.state()).toMatchObject({ waiting: 8, lost: 4 });
});

test('lines wait in pieces: each is taken once, in order, with its frames, while others come; none is left when it is cleared', () => {
  const queue = createLineQueue();
  const text = 'x'.repeat(1000);
  const numbers = Array.from({ length: 3000 }, (_, number) => number);
  const offer = (number: number): void => queue.add(frame(number, text));
  let bytes = 0;
  let taken = '';
  const take = (): number => {
    const { batch, frames } = queue.take();
    bytes += batch.length;
    taken += batch.toString();
    return frames;
  };
  for (const each of numbers.slice(0, 2500)) offer(each);
  const all = queue.bytes;
  const first = take();
  expect(first).toBeGreaterThan(0);
  expect(queue.frames).toBe(2500 - first);
  expect(queue.bytes).toBe(all - bytes);
  for (const each of numbers.slice(2500)) offer(each);
  let frames = first;
  while (queue.frames > 0) frames += take();
  expect(frames).toBe(3000);
  expect(idsIn(taken.trimEnd().split('\n'))).toEqual(numbers.map(each => `ev_${each}`));
  expect(queue.bytes).toBe(0);
  for (const each of numbers) offer(each);
  take();
  queue.clear();
  expect([queue.frames, queue.bytes, queue.take().frames]).toEqual([0, 0, 0]);
});
