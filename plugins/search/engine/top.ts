/** The best few of many, without sorting the rest. Pure. */
import type { Weighed } from '../api.ts';

export interface Scored {
  id: number;
  score: number;
  /** Decides between equals. */
  order: string;
}

export const isBetter = (a: Scored, b: Scored): boolean =>
  a.score > b.score || (a.score === b.score && a.order < b.order);

export const byScore = (a: Scored, b: Scored): number => b.score - a.score || (a.order < b.order ? -1 : 1);

/** Keeps the best `most`; the worst of them stands at the root of a heap. */
export function createTop(most: number) {
  const heap: Scored[] = [];

  const sink = (): void => {
    for (let at = 0; ; ) {
      let worst = at;
      for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child += 1) {
        if (isBetter(heap[worst] as Scored, heap[child] as Scored)) worst = child;
      }
      if (worst === at) return;
      [heap[at], heap[worst]] = [heap[worst] as Scored, heap[at] as Scored];
      at = worst;
    }
  };

  const rise = (): void => {
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBetter(heap[parent] as Scored, heap[at] as Scored)) return;
      [heap[at], heap[parent]] = [heap[parent] as Scored, heap[at] as Scored];
      at = parent;
    }
  };

  return {
    /** Scores below this cannot enter any more. */
    least: (): number => (heap.length < most ? -1 : (heap[0]?.score ?? -1)),
    offer(id: number, score: number, order: string): void {
      const worst = heap[0];
      if (heap.length < most) {
        heap.push({ id, score, order });
        rise();
      } else if (worst && (score > worst.score || (score === worst.score && order < worst.order))) {
        heap[0] = { id, score, order };
        sink();
      }
    },
    sorted: (): Scored[] => heap.sort(byScore),
  };
}

/** The best `most` of the items, best first. */
export function bestOf<T>(items: readonly Weighed<T>[], most: number): T[] {
  const top = createTop(most);
  for (let at = 0; at < items.length; at += 1) {
    const { score, order } = items[at] as Weighed<T>;
    top.offer(at, score, order);
  }
  return top.sorted().map(({ id }) => (items[id] as Weighed<T>).item);
}
