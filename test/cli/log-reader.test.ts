import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { follow, lastLines, positionOf } from '../../cli/log-reader.ts';
import { tempDir } from '../helper.ts';

test('no line is lost or told twice between the newest ones and what follows, a file that is turned over included', async () => {
  const file = join(await tempDir(), 'a.log');
  const source = { name: 'a', pid: 1, file };
  await writeFile(file, 'one\ntwo\n');
  const position = await positionOf(source);
  await appendFile(file, 'three\nfo');
  const texts = (lines: readonly { text: string }[]) => lines.map(each => each.text);
  expect(texts(await lastLines([{ ...source, position }], 10))).toEqual(['one', 'two']);

  const stopped = new AbortController();
  const lines = follow(source, position, stopped.signal);
  const next = async () => (await lines.next()).value?.text;
  expect(await next()).toBe('three');
  await appendFile(file, 'ur\nfive\n');
  await rename(file, `${file}.1`);
  await writeFile(file, 'six\n');
  expect([await next(), await next(), await next()]).toEqual(['four', 'five', 'six']);
  stopped.abort();
  expect((await lines.next()).done).toBe(true);
  const now = await positionOf(source);
  expect(texts(await lastLines([{ ...source, position: now }], 3))).toEqual(['four', 'five', 'six']);
});
