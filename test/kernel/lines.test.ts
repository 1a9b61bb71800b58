/** Lines over a socket: cut anywhere, in any alphabet, and never gathered for ever. */
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineReader, createLineWriter } from '../../schemas/lines.ts';

test('lines come whole however their bytes are cut', () => {
  const line = fc.string({ unit: 'grapheme' }).map(each => each.replaceAll('\n', ' '));
  fc.assert(
    fc.property(fc.array(line.filter(each => each !== '')), fc.array(fc.nat(12)), (lines, cuts) => {
      const heard: string[] = [];
      const read = createLineReader(1000, found => heard.push(...found), expect.unreachable);
      const bytes = Buffer.from(lines.map(each => `${each}\n`).join(''));
      let at = 0;
      for (const cut of cuts) {
        read(bytes.subarray(at, at + cut));
        at += cut;
      }
      read(bytes.subarray(at));
      expect(heard).toEqual(lines);
    }),
  );
});

test('of a line that is too long its beginning is told, once, and the next is heard', () => {
  const heard: string[] = [];
  const long: string[] = [];
  const read = createLineReader(
    100,
    found => heard.push(...found),
    beginning => long.push(beginning),
  );
  read(Buffer.from('one\ntwo-'));
  for (let n = 0; n < 50; n += 1) read(Buffer.from('0123456789'));
  read(Buffer.from('end\nthree\nfo'));
  read(Buffer.from('ur\n'));
  expect(heard).toEqual(['one', 'three', 'four']);
  expect(long).toHaveLength(1);
  expect(long[0]).toMatch(/^two-/);
});

test('the lines of one turn are one write', async () => {
  const socket = new PassThrough();
  const chunks: string[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const write = createLineWriter(socket);
  write('a');
  await Promise.resolve();
  write('b');
  await new Promise(resolve => setImmediate(resolve));
  write('c');
  await new Promise(resolve => setImmediate(resolve));
  expect(chunks).toEqual(['a\nb\n', 'c\n']);
});
