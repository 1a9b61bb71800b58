/** The lines of the log that are new since somebody looked, as rows. */
import { logRow } from '../../schemas/log-row.ts';
import type { Json } from '../../schemas/loose.ts';

const looked = 200;

export type LogTail = ReturnType<typeof createLogTail>;

/** `tail` gives the newest lines, the oldest first. */
export function createLogTail(tail: (count: number) => readonly string[]) {
  let last: string | undefined;

  const fresh = (most: number): Json[] => {
    const newest = tail(1).at(-1);
    if (newest === undefined || newest === last) return [];
    const lines = tail(looked);
    const from = last === undefined ? -1 : lines.lastIndexOf(last);
    last = newest;
    return lines
      .slice(from + 1)
      .slice(-most)
      .map(logRow);
  };

  return {
    fresh,
    /** What is there already is not new. */
    skip(): void {
      last = tail(1).at(-1);
    },
  };
}
