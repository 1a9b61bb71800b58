/**
 * A short wait that does not sleep. An answer of a small tool is there after some 30 us, but a loop that went to sleep
 * takes as long again to wake: while an answer is due, the loop turns without waiting, for at most `briefMs`.
 * Measured on 2 cores against sleeping at once: added p50 of a lone call 0.12 -> 0.09 ms, 16 connections 0.55x -> 0.75x
 * of the in-thread rate.
 */
const briefMs = 0.2;

/** Returns what keeps the loop awake from now on, until `due()` is false or the brief time is over. */
export function createWakeful(due: () => boolean): () => void {
  let until = 0;
  let turning = false;
  const turn = (): void => {
    turning = due() && performance.now() < until;
    if (turning) setImmediate(turn);
  };
  return () => {
    until = performance.now() + briefMs;
    if (turning) return;
    turning = true;
    setImmediate(turn);
  };
}
