/** Opaque cursors: the place where a list goes on, as whoever asks for the rest gives it back. Pure. */

/** Hex, so that nobody takes it for what it says. */
export const cursorOf = (place: string): string => Buffer.from(place).toString('hex');

/** The place that a cursor says, of at most `longest` bytes; undefined for one that `cursorOf` did not make. */
export function placeIn(cursor: unknown, longest: number): string | undefined {
  if (typeof cursor !== 'string' || cursor === '' || cursor.length > 2 * longest) return undefined;
  const place = Buffer.from(cursor, 'hex').toString();
  return cursorOf(place) === cursor ? place : undefined;
}

/** A cursor of decimal numbers: an offset, or a generation and an offset. */
export const encodeCursor = (...numbers: number[]): string => cursorOf(numbers.join(':'));

/** The numbers of a cursor; undefined for one that `encodeCursor` did not make of `count` numbers. */
export function numbersIn(cursor: unknown, count: number): number[] | undefined {
  const numbers = (placeIn(cursor, 32) ?? '').split(':').map(Number);
  const ours = numbers.length === count && numbers.every(each => Number.isSafeInteger(each) && each >= 0);
  return ours && encodeCursor(...numbers) === cursor ? numbers : undefined;
}
