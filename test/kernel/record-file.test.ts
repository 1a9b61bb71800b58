import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRecordFile, recordLines } from '../../schemas/record-file.ts';
import { tempDir } from './support.ts';

const posix = process.platform !== 'win32';

async function lines(path: string, maxBytes = 1000): Promise<(string | null)[]> {
  const all: (string | null)[] = [];
  for await (const some of recordLines(path, maxBytes)) all.push(...some);
  return all;
}

/** Runs a module in a process none of whose files may be larger than 1,024 bytes; gives what it says. */
function limited(code: string): string {
  const shell = `ulimit -f 1; exec "$0" --import tsx --input-type=module -e "$1"`;
  const env = { ...process.env, TSX_DISABLE_CACHE: '1' };
  return execFileSync('bash', ['-c', shell, process.execPath, code], { env, encoding: 'utf8' });
}

test('lines that are given at once are whole, in order, and turned over by size; only the owner may read them', async () => {
  const folder = join(await tempDir(), 'kept');
  const file = createRecordFile(join(folder, 'a.jsonl'), { maxBytes: 40, kept: 2, durable: true });
  const written = Array.from({ length: 20 }, (_, index) => JSON.stringify({ index }));
  await Promise.all(written.map(each => file.append(each)));
  await file.close();
  expect((await readdir(folder)).sort()).toEqual(['a.jsonl', 'a.jsonl.1', 'a.jsonl.2']);
  const kept = await Promise.all(['.2', '.1', ''].map(age => lines(`${file.path}${age}`)));
  expect(kept.flat()).toEqual(written.slice(-kept.flat().length));
  expect(kept.map(each => each.length)).toEqual([3, 3, 2]);
  if (posix) expect([(await stat(folder)).mode & 0o777, (await stat(file.path)).mode & 0o777]).toEqual([0o700, 0o600]);
});

test('a line that a crash cut off stays alone, and a file that was moved away is begun anew', async () => {
  const path = join(await tempDir(), 'a.jsonl');
  await writeFile(path, '{"a":1}\n{"cut":');
  const file = createRecordFile(path, { maxBytes: 1000, kept: 1 });
  await file.append('{"b":2}');
  expect(await lines(path)).toEqual(['{"a":1}', '{"cut":', '{"b":2}']);
  await rename(path, `${path}.old`);
  await file.append('{"c":3}');
  await file.close();
  expect(await lines(path)).toEqual(['{"c":3}']);
});

test('what cannot be kept is refused alone: the others are written', async () => {
  const folder = await tempDir();
  const file = createRecordFile(join(folder, 'a.jsonl'), { maxBytes: 20, kept: 1 });
  const told = await Promise.allSettled([file.append('1'), file.append('x'.repeat(20)), file.append('2')]);
  expect(told.map(each => each.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await file.close();
  expect(await lines(file.path)).toEqual(['1', '2']);
  await mkdir(join(folder, 'b.jsonl'));
  const directory = createRecordFile(join(folder, 'b.jsonl'), { maxBytes: 20, kept: 1 });
  await expect(directory.append('1')).rejects.toThrow();
  await expect(lines(directory.path)).rejects.toThrow();
});

test.skipIf(!posix)('neither links are followed nor pipes waited for', async () => {
  const folder = await tempDir();
  const target = join(folder, 'target');
  await writeFile(target, 'mine\n');
  await symlink(target, join(folder, 'link'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  for (const name of ['link', 'pipe']) {
    const file = createRecordFile(join(folder, name), { maxBytes: 20, kept: 1 });
    await expect(file.append('1')).rejects.toThrow();
    await expect(lines(file.path)).rejects.toThrow();
  }
  expect(await readFile(target, 'utf8')).toBe('mine\n');
});

test.skipIf(!posix)('a disk that is full in the middle of a line refuses it, and keeps no part of it', async () => {
  const path = join(await tempDir(), 'a.jsonl');
  const code = `
    import { createRecordFile } from ${JSON.stringify(new URL('../../schemas/record-file.ts', import.meta.url).href)};
    const file = createRecordFile(${JSON.stringify(path)}, { maxBytes: 10000, kept: 1 });
    await file.append('a'.repeat(1000));
    const [told] = await Promise.allSettled([file.append('b'.repeat(100))]);
    await file.append('c');
    console.log(told.reason.code);`;
  expect(limited(code)).toBe('EFBIG\n');
  expect(await lines(path, 2000)).toEqual(['a'.repeat(1000), 'c']);
});

test('lines that are too long or no text are told as such, across chunks and at the end', async () => {
  const path = join(await tempDir(), 'a.jsonl');
  const long = 'y'.repeat(600_000);
  await writeFile(path, `1\n\n${'x'.repeat(500)}\n2\n${long}\n3\n`);
  await appendFile(path, Buffer.concat([Buffer.from([0xff, 10]), Buffer.from(`é\n${'z'.repeat(300_000)}`)]));
  expect(await lines(path, 400)).toEqual(['1', null, '2', null, '3', null, 'é', null]);
  expect(await lines(path, 1_000_000)).toEqual(
    expect.arrayContaining(['1', 'x'.repeat(500), long, null, 'é', 'z'.repeat(300_000)]),
  );
});

test.skipIf(!posix)('what another process wrote meanwhile is not cut by a write that failed', async () => {
  const path = join(await tempDir(), 'a.jsonl');
  const code = `
    import { appendFileSync } from 'node:fs';
    import { createRecordSink } from ${JSON.stringify(new URL('../../schemas/record-file.ts', import.meta.url).href)};
    const sink = createRecordSink(${JSON.stringify(path)});
    await sink.write(await sink.begin(), Buffer.from('a'.repeat(500) + '\\n'));
    const to = await sink.begin();
    appendFileSync(${JSON.stringify(path)}, 'of another\\n');
    const [told] = await Promise.allSettled([sink.write(to, Buffer.from('b'.repeat(1000) + '\\n'))]);
    console.log(told.reason.code);`;
  expect(limited(code)).toBe('EFBIG\n');
  const file = createRecordFile(path, { maxBytes: 10_000, kept: 1 });
  await file.append('c');
  await file.close();
  const [first, other, torn, last] = await lines(path, 2000);
  expect([first?.length, other, torn, last]).toEqual([500, 'of another', expect.stringMatching(/^b+$/), 'c']);
});
