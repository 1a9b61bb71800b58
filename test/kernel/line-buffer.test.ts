/** Lines as bytes: whatever letters they have, however many there are. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineBuffer } from '../../schemas/line-buffer.ts';

/** One line, which may be longer than a piece. */
const single = (text: string): boolean => text.indexOf('\n') === text.length - 1;

test('what was added is there as bytes, line by line, and gone when it is cleared', () => {
  const buffer = new LineBuffer();
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 200 })), lines => {
      for (const line of lines) buffer.add(line);
      expect(buffer.lines).toBe(lines.length);
      expect(buffer.bytes().toString()).toBe(lines.map(each => `${each}\n`).join(''));
      expect(buffer.length).toBe(buffer.bytes().length);
      const pieces = [...buffer.pieces(64)].map(each => each.toString());
      expect(pieces.join('')).toBe(buffer.bytes().toString());
      for (const each of pieces)
        expect(each.endsWith('\n') && (Buffer.byteLength(each) <= 64 || single(each))).toBe(true);
      buffer.clear();
      expect([buffer.lines, buffer.length]).toEqual([0, 0]);
    }),
  );
});

test('it grows while it has lines, also where there is room for all but the last byte', () => {
  const buffer = new LineBuffer();
  const lines = Array.from({ length: 300 }, (_, n) => 'ü'.repeat(n * 7));
  for (const line of lines) buffer.add(line);
  expect(buffer.bytes().toString()).toBe(lines.map(each => `${each}\n`).join(''));
  const first = 65_536;
  for (const length of [first - 2, first - 1, first]) {
    const exact = new LineBuffer();
    exact.add('');
    exact.add('x'.repeat(length - 1));
    exact.add('y');
    expect(exact.bytes().toString()).toBe(`\n${'x'.repeat(length - 1)}\ny\n`);
  }
});
