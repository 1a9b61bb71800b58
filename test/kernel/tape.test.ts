/** What is written onto a tape is read from it, in its order; its memory goes over and comes back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TapeReader, TapeWriter, transferOf } from '../../schemas/tape.ts';

const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 200 }), { nil: undefined });
const said = fc.oneof(
  fc.record({ what: fc.constant('number' as const), value: fc.double({ noNaN: true }) }),
  fc.record({ what: fc.constantFrom('text' as const, 'word' as const), value: text }),
);

test('everything comes out as it went in, also from memory that is used again', () => {
  const writer = new TapeWriter();
  fc.assert(
    fc.property(fc.array(said), all => {
      for (const each of all) {
        if (each.what === 'number') writer.number(each.value);
        else writer[each.what](each.value);
      }
      const tape = writer.take();
      const there = structuredClone(tape, { transfer: transferOf(tape) });
      const reader = new TapeReader(there);
      expect(all.map(({ what }) => reader[what]())).toEqual(all.map(({ value }) => value));
      expect(reader.done).toBe(true);
      writer.reuse(there);
    }),
  );
});

test('it grows with what is written, and lets go of memory that has grown large', () => {
  const writer = new TapeWriter();
  const long = 'ü€'.repeat(600_000);
  for (let index = 0; index < 10_000; index += 1) writer.number(index);
  writer.text('first');
  writer.text(long);
  writer.text(null);
  const tape = writer.take();
  const reader = new TapeReader(tape);
  for (let index = 0; index < 10_000; index += 1) expect(reader.number()).toBe(index);
  expect([reader.text(), reader.text(), reader.text()]).toEqual(['first', long, undefined]);
  writer.reuse(tape);
  writer.number(1);
  const next = writer.take();
  expect(next.bytes).toHaveLength(0);
  writer.reuse(next);
  writer.take();
  writer.number(2);
  expect(writer.take().numbers.buffer).toBe(next.numbers.buffer);
});

test('a new tape has as much room at once as the one before needed, and memory that comes back serves it', () => {
  const writer = new TapeWriter();
  const write = (): void => {
    for (let index = 0; index < 20_000; index += 1) writer.number(index);
    writer.text('x'.repeat(300_000));
  };
  write();
  const first = writer.take();
  writer.text('short');
  const second = writer.take();
  expect(second.bytes).toHaveLength(first.bytes.length);
  expect(second.numbers).toHaveLength(first.numbers.length);
  const tapes = Array.from({ length: 16 }, () => {
    write();
    return writer.take();
  });
  for (const each of tapes) writer.reuse(each);
  const again = new Set(
    tapes.map(() => {
      write();
      return writer.take().bytes.buffer;
    }),
  );
  // The first of them was begun before any came back.
  expect(tapes.filter(each => again.has(each.bytes.buffer))).toHaveLength(15);
});

test('words are told once, of one tape', () => {
  const writer = new TapeWriter();
  for (let index = 0; index < 5; index += 1) writer.word('again');
  expect(writer.take().words).toEqual(['again']);
  writer.word('other');
  const tape = writer.take();
  expect(tape.words).toEqual(['other']);
  expect(new TapeReader(tape).word()).toBe('other');
});
