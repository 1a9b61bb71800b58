/** Pages of a list with opaque cursors, the same for every list method. */
import { encodeCursor, numbersIn } from '../schemas/cursor.ts';
import { rpcErrors } from './errors.ts';

/** The slice of `items` at `cursor`, and the next cursor when more follow. A cursor we did not make is -32602. */
export function pageOf<T>(
  items: readonly T[],
  cursor: unknown,
  size: number,
): { items: readonly T[]; nextCursor: string | undefined } {
  const [start = 0] = cursor === undefined ? [] : decodeCursor(cursor, 1);
  if (start > 0 && start >= items.length) throw badCursor();
  const end = start + size;
  return { items: items.slice(start, end), nextCursor: end < items.length ? encodeCursor(end) : undefined };
}

/** The numbers of a cursor; throws for one that `encodeCursor` did not make of `count` numbers. */
export function decodeCursor(cursor: unknown, count: number): number[] {
  const numbers = numbersIn(cursor, count);
  if (!numbers) throw badCursor();
  return numbers;
}

export const badCursor = () =>
  rpcErrors.INVALID_PARAMS({ reason: '"cursor" is not one that this list gave: start again without it' });
