/** Lines as bytes: whatever letters they have, however many there are. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineBuffer } from '../../schemas/line-buffer.ts';

const textOf = (buffer: LineBuffer): string =>
  buffer
    .pieces()
    .map(each => each.bytes.toString())
    .join('');

test('what was added is there as bytes, line by line, and gone when it is cleared', () => {
  const buffer = new LineBuffer();
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 200 })), lines => {
      for (const line of lines) buffer.add(line);
      expect(buffer.lines).toBe(lines.length);
      const text = lines.map(each => `${each}\n`).join('');
      expect(textOf(buffer)).toBe(text);
      expect(buffer.length).toBe(Buffer.byteLength(text));
      buffer.clear();
      expect([buffer.lines, buffer.length, buffer.pieces()]).toEqual([0, 0, []]);
    }),
  );
});

test('much is in pieces of whole lines, whose memory is used again; a line that is longer than a piece is one', () => {
  const buffer = new LineBuffer();
  const memory = new Set<ArrayBufferLike>();
  for (let round = 0; round < 3; round += 1) {
    const lines = Array.from({ length: 4000 }, (_, n) => `${n} ${'ü€'.repeat(n % 400)}`);
    lines.splice(2000, 0, 'z'.repeat(3_000_000));
    for (const line of lines) buffer.add(line);
    const pieces = buffer.pieces();
    expect(textOf(buffer)).toBe(lines.map(each => `${each}\n`).join(''));
    expect(pieces.length).toBeGreaterThan(3);
    for (const { bytes, lines: count } of pieces) {
      expect(bytes.toString().split('\n')).toHaveLength(count + 1);
      expect(bytes.length <= 1024 * 1024 || count === 1).toBe(true);
      if (count > 1) memory.add(bytes.buffer);
    }
    expect(pieces.reduce((sum, each) => sum + each.lines, 0)).toBe(buffer.lines);
    if (round > 0) expect(memory.size).toBe(pieces.filter(each => each.lines > 1).length);
    buffer.clear();
  }
});

test('a line that fills a piece to its last byte, or all but that, is whole, and so is what follows', () => {
  const piece = 1024 * 1024;
  for (const length of [piece - 2, piece - 1, piece]) {
    const exact = new LineBuffer();
    exact.add('');
    exact.add('x'.repeat(length - 1));
    exact.add('y');
    expect(textOf(exact)).toBe(`\n${'x'.repeat(length - 1)}\ny\n`);
  }
});
