/**
 * Loaded skills with a save that is not applied yet. A call that comes after the save waits for its reload, so that the
 * next call runs the new code; no longer than a bound, since the old code serves until then.
 */

export type PendingReloads = ReturnType<typeof createPendingReloads>;

interface Pending {
  done: Promise<void>;
  end(): void;
}

export function createPendingReloads(boundMs = 3000) {
  let noted = new Map<string, Pending>();
  const running = new Map<string, Pending>();

  const create = (): Pending => {
    let end: () => void = () => undefined;
    const done = new Promise<void>(resolve => {
      const timer = setTimeout(resolve, boundMs).unref();
      end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return { done, end };
  };

  return {
    /** A file of a skill was saved. */
    note(skill: string): void {
      if (!noted.has(skill)) noted.set(skill, create());
    },
    /** The saves noted so far are being applied; the function says that they are. */
    begin(): () => void {
      const mine = noted;
      noted = new Map();
      for (const [skill, pending] of mine) running.set(skill, pending);
      return () => {
        for (const [skill, pending] of mine) {
          if (running.get(skill) === pending) running.delete(skill);
          pending.end();
        }
      };
    },
    /** Settles when the newest save of a skill is applied; undefined when none waits. */
    of(skill: string): Promise<void> | undefined {
      if (noted.size === 0 && running.size === 0) return undefined;
      return (noted.get(skill) ?? running.get(skill))?.done;
    },
    /** Nobody waits any longer. */
    close(): void {
      for (const pending of [...noted.values(), ...running.values()]) pending.end();
      noted.clear();
      running.clear();
    },
  };
}
