/** Rows in files: the newest stay, a full disk is told once and costs rows alone, the loop goes on. */
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { createCappedFile } from '../../../plugins/audit/records/capped-file.ts';
import { createWriter } from '../../../plugins/audit/records/writer.ts';
import { tempDir } from '../../helper.ts';

const row = (n: number): string => `${JSON.stringify({ n })}\n`;
const rows = (from: number, to: number): Buffer =>
  Buffer.from(Array.from({ length: to - from }, (_, index) => row(from + index)).join(''));
const numbers = async (path: string): Promise<number[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .flatMap(line => (line === '' ? [] : [(JSON.parse(line) as { n: number }).n]));
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

test('the newest rows stay, exactly as many as may, whatever comes at once; nothing is left beside the file', async () => {
  const folder = await tempDir();
  const path = join(folder, 'rows.jsonl');
  const file = createCappedFile(path, { maxRows: 5, maxBytes: 1 << 20 });
  await file.append(rows(0, 4));
  expect(await numbers(path)).toEqual(range(0, 4));
  await file.append(rows(4, 8));
  await file.append(rows(8, 9));
  await file.append(rows(9, 40));
  await file.close();
  expect(await numbers(path)).toEqual(range(35, 40));
  expect(await readdir(folder)).toEqual(['rows.jsonl']);
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('bytes are capped too; one row that is larger than the file is refused and harms no other', async () => {
  const path = join(await tempDir(), 'rows.jsonl');
  const file = createCappedFile(path, { maxRows: 1000, maxBytes: 100 });
  await file.append(rows(0, 8));
  await expect(file.append(Buffer.from(`${'x'.repeat(200)}\n`))).rejects.toThrow('more than the 100');
  await file.append(rows(8, 16));
  await file.close();
  const kept = await numbers(path);
  expect(kept).toEqual(range(16 - kept.length, 16));
  expect((await stat(path)).size).toBeLessThanOrEqual(100);
});

test('megabytes that stay are copied whole, in their order', async () => {
  const path = join(await tempDir(), 'rows.jsonl');
  const wide = (from: number, to: number): Buffer =>
    Buffer.from(
      range(from, to)
        .map(n => `${JSON.stringify({ n, text: 'ü'.repeat(400) })}\n`)
        .join(''),
    );
  const file = createCappedFile(path, { maxRows: 4000, maxBytes: 1 << 23 });
  await file.append(wide(0, 4000));
  await file.append(wide(4000, 4300));
  expect(wide(300, 4300).equals(await readFile(path))).toBe(true);
  await file.close();
});

test('what was there counts, what others add or move is noticed, and a torn line stays on its own', async () => {
  const path = join(await tempDir(), 'rows.jsonl');
  await writeFile(path, `${row(0)}${row(1)}{"n":`);
  const file = createCappedFile(path, { maxRows: 4, maxBytes: 1 << 20 });
  await file.append(rows(2, 3));
  expect((await readFile(path, 'utf8')).split('\n')).toEqual(['{"n":0}', '{"n":1}', '{"n":', '{"n":2}', '']);
  await file.append(rows(3, 4));
  await appendFile(path, row(4));
  await file.append(rows(5, 6));
  await file.trim();
  expect(await numbers(path)).toEqual([2, 3, 4, 5]);
  await rename(path, `${path}.moved`);
  await file.append(rows(6, 7));
  await file.close();
  expect(await numbers(path)).toEqual([6]);
});

test('a disk that takes nothing is told once, costs rows alone, and rows go on when it takes them again', async () => {
  const folder = await tempDir();
  const path = join(folder, 'rows.jsonl');
  // What stands in the way is no file.
  await mkdir(path);
  const told: string[] = [];
  const writer = createWriter<number>({
    targets: [{ file: createCappedFile(path, { maxRows: 10, maxBytes: 1 << 20 }), line: n => JSON.stringify({ n }) }],
    onProblem: (_file, reason) => void told.push(reason),
    onRecovered: dropped => void told.push(`recovered after ${dropped}`),
  });
  for (const n of [1, 2, 3]) {
    writer.add(n);
    await writer.settled();
  }
  expect([told.length, writer.dropped, writer.problem === null]).toEqual([1, 3, false]);
  await rm(path, { recursive: true });
  writer.add(4);
  await writer.close();
  expect(told).toEqual([told[0], 'recovered after 3']);
  expect(await numbers(path)).toEqual([4]);
});

test('a burst: the loop goes on while it is written, and all of it is there at the end', async () => {
  const path = join(await tempDir(), 'rows.jsonl');
  const count = 15_000;
  const writer = createWriter<number>({
    targets: [
      {
        file: createCappedFile(path, { maxRows: count, maxBytes: 1 << 30 }),
        line: n => JSON.stringify({ n, text: 'x'.repeat(200) }),
      },
    ],
    onProblem: (_file, reason) => expect.unreachable(reason),
    onRecovered: () => undefined,
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (let n = 0; n < count; n += 1) writer.add(n);
  delay.enable();
  await writer.close();
  delay.disable();
  expect(await numbers(path)).toEqual(range(0, count));
  // The machine of the test may be busy with others.
  expect(delay.percentile(75) / 1e6).toBeLessThan(30);
});

test('a look at a file that is not due yet stops nothing: later rows are written, and the end comes', async () => {
  const path = join(await tempDir(), 'rows.jsonl');
  const file = createCappedFile(path, { maxRows: 1000, maxBytes: 1 << 20 });
  // As when its timer is a little early, every time.
  const early = Object.create(file, { due: { get: () => 5 } }) as typeof file;
  const writer = createWriter<number>({
    targets: [{ file: early, line: n => JSON.stringify({ n }) }],
    onProblem: () => undefined,
    onRecovered: () => undefined,
  });
  // Not there before the first row.
  const written = () => numbers(path).catch(() => []);
  writer.add(1);
  await expect.poll(written).toEqual([1]);
  writer.add(2);
  await expect.poll(written).toEqual([1, 2]);
  await writer.close();
});
