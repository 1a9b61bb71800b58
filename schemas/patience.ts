/** A deadline that stands still while somebody else is waited for. */

export function createPatience(ms: number, onEnd: () => void) {
  let left = ms;
  let since = performance.now();
  let holds = 0;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;

  const run = (): void => {
    since = performance.now();
    timer = setTimeout(onEnd, Math.max(1, left)).unref();
  };
  run();

  return {
    /** Stops it until what this returns is called. */
    hold(): () => void {
      holds += 1;
      if (holds === 1) {
        clearTimeout(timer);
        left -= performance.now() - since;
      }
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holds -= 1;
        if (holds === 0 && !ended) run();
      };
    },
    end(): void {
      ended = true;
      clearTimeout(timer);
    },
  };
}
