/**
 * Turns: a bounded number of tasks at once per lane and in all, the rest in the order they came. Tasks start together, a
 * moment after the first of them came, and in slices: who submits gets the receipt first, even who submits one after the
 * other, and whoever polls meanwhile is not held up.
 */

/** How long the first task waits for others to start with it. */
const gatherMs = 1;
/** Starting tasks lets the event loop run after this long. */
const sliceMs = 4;

export interface LaneTask {
  /** Tasks of one lane share its bound. */
  lane: string;
  laneLimit: number;
  /** Counts against the bound of all; the children of a task do not, or parents that wait for them could fill it. */
  counted: boolean;
  /** Runs once; the place is free when it settles. Must not reject. */
  start(): Promise<void>;
}

interface Lane {
  waiting: Map<LaneTask, number>;
  running: number;
}

export function createLanes(limit: number) {
  const lanes = new Map<string, Lane>();
  let added = 0;
  let pending = 0;
  let running = 0;
  let counted = 0;
  let gathering: NodeJS.Timeout | undefined;
  let scheduled: NodeJS.Immediate | undefined;
  let closed = false;

  const next = (): LaneTask | undefined => {
    let found: LaneTask | undefined;
    let oldest = Number.POSITIVE_INFINITY;
    for (const { waiting, running: busy } of lanes.values()) {
      for (const [task, number] of waiting) {
        if (number < oldest && busy < task.laneLimit && (!task.counted || counted < limit)) {
          found = task;
          oldest = number;
          break;
        }
        if (number >= oldest || busy >= task.laneLimit) break;
      }
    }
    return found;
  };

  const begin = (task: LaneTask, lane: Lane): void => {
    lane.waiting.delete(task);
    lane.running += 1;
    pending -= 1;
    running += 1;
    if (task.counted) counted += 1;
    void task.start().finally(() => {
      lane.running -= 1;
      running -= 1;
      if (task.counted) counted -= 1;
      if (lane.running === 0 && lane.waiting.size === 0) lanes.delete(task.lane);
      schedule();
    });
  };

  const drain = (): void => {
    clearTimeout(gathering);
    clearImmediate(scheduled);
    gathering = undefined;
    scheduled = undefined;
    const end = performance.now() + sliceMs;
    for (let task = next(); task !== undefined; task = next()) {
      begin(task, lanes.get(task.lane) as Lane);
      if (performance.now() < end) continue;
      schedule();
      return;
    }
  };

  const schedule = (): void => {
    if (!closed && pending > 0) scheduled ??= setImmediate(drain);
  };

  return {
    get pending(): number {
      return pending;
    },
    get running(): number {
      return running;
    },
    add(task: LaneTask): void {
      const lane = lanes.get(task.lane) ?? { waiting: new Map<LaneTask, number>(), running: 0 };
      lanes.set(task.lane, lane);
      added += 1;
      pending += 1;
      lane.waiting.set(task, added);
      if (!closed && scheduled === undefined) gathering ??= setTimeout(drain, gatherMs);
    },
    /** Removes a task that has not started; false when it has. */
    remove(task: LaneTask): boolean {
      const lane = lanes.get(task.lane);
      if (!lane?.waiting.delete(task)) return false;
      pending -= 1;
      if (lane.running === 0 && lane.waiting.size === 0) lanes.delete(task.lane);
      return true;
    },
    close(): void {
      closed = true;
      clearTimeout(gathering);
      clearImmediate(scheduled);
    },
  };
}
