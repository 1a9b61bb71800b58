/** A driver that answers later, and not always equally late: whoever does not wait for it, or counts on order, is found out. */
import { setImmediate, setTimeout } from 'node:timers/promises';

/** Ms before and after the work itself; 0 is the next turn of the event loop. */
const delays = [4, 0, 2, 0, 0, 7, 1];

/** `driver` with every function answering through a promise. What it throws becomes a rejection. */
export function slow<T extends object>(driver: T): T {
  let calls = 0;
  const pause = (): Promise<unknown> => {
    calls += 1;
    const ms = delays[calls % delays.length] ?? 0;
    return ms === 0 ? setImmediate() : setTimeout(ms);
  };
  return new Proxy(driver, {
    get(target, key) {
      const value = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        await pause();
        const answer = await Reflect.apply(value, target, given);
        await pause();
        return answer;
      };
    },
  });
}
