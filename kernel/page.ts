/** Pages of a list with opaque cursors, the same for every list method. */
import { rpcErrors } from './errors.ts';

/** The slice of `items` at `cursor`, and the next cursor when more follow. A cursor we did not make is -32602. */
export function pageOf<T>(
  items: readonly T[],
  cursor: unknown,
  size: number,
): { items: readonly T[]; nextCursor: string | undefined } {
  const start = cursor === undefined ? 0 : decodeCursor(cursor);
  if (start > 0 && start >= items.length) throw badCursor();
  const end = start + size;
  return { items: items.slice(start, end), nextCursor: end < items.length ? encodeCursor(end) : undefined };
}

/** Hex of the ASCII decimal offset. */
export function encodeCursor(offset: number): string {
  return Buffer.from(String(offset)).toString('hex');
}

export function decodeCursor(cursor: unknown): number {
  if (typeof cursor !== 'string' || !/^(3[0-9]){1,9}$/.test(cursor)) throw badCursor();
  return Number(Buffer.from(cursor, 'hex').toString());
}

const badCursor = () =>
  rpcErrors.INVALID_PARAMS({ reason: '"cursor" is not one that this list gave: start again without it' });
