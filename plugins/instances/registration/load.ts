/** Whether this instance works at its bound: looked at now and then while calls are in flight, and at no other time. */

const everyMs = 200;

export interface LoadDeps {
  /** Calls in flight. */
  inFlight: () => number;
  /** Calls that it takes at once. */
  bound: number;
  /** Told what holds for longer than a moment: a short call is nobody's business. */
  changed(busy: boolean): void;
}

export function createLoad({ inFlight, bound, changed }: LoadDeps) {
  let timer: NodeJS.Timeout | undefined;
  let told = false;
  let before = false;

  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    const busy = inFlight() >= bound;
    if (busy === before && busy !== told) {
      told = busy;
      changed(busy);
    }
    before = busy;
    if (!told && !busy && inFlight() === 0) stop();
  };

  return {
    /** Begins to look, until nothing is in flight. */
    begun(): void {
      timer ??= setInterval(look, everyMs).unref();
    },
    stop,
  };
}
