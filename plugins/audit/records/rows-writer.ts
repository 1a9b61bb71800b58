/** Calls on their way to the thread that makes their rows: gathered for a moment, bounded; whoever hands one in waits for nothing. */

import { startBackgroundThread } from '../../../schemas/background-thread.ts';
import type { CallRecord } from '../../../schemas/call-record.ts';
import { transferOf } from '../../../schemas/tape.ts';
import { createGathered } from './gathered.ts';
import type { FromRows, RowsData, ToRows } from './handed.ts';

export interface RowsWriterParts {
  readonly entry: URL;
  readonly data: RowsData;
  /** Told once of a problem, and once when it is over with how many rows it cost. */
  onProblem(file: string, reason: string): void;
  onRecovered(dropped: number): void;
}

/** What comes in the meantime goes over together. */
const gatherMs = 45;
/** Calls that wait at most. */
const mostWaiting = 20_000;

export type RowsWriter = Awaited<ReturnType<typeof openRowsWriter>>;

/** Rejects when the thread cannot be started. */
export async function openRowsWriter({ entry, data, onProblem, onRecovered }: RowsWriterParts) {
  let giving: NodeJS.Timeout | undefined;
  /** Handed over, and not taken yet. */
  let away = 0;
  let lost = 0;
  let known = { dropped: 0, problem: null as string | null };
  let settling: (() => void)[] = [];

  const lose = (calls: number, reason: string): void => {
    if (calls > 0 && lost === 0) onProblem(data.audit, reason);
    lost += calls;
  };

  const gathered = createGathered({
    onPacked(packed) {
      if (packed > 0) giving ??= setTimeout(give, gatherMs);
    },
    // What no thread can be given is no reason to end this one.
    onLost: reason => lose(1, reason),
  });

  const settled = (): void => {
    const done = settling;
    settling = [];
    for (const each of done) each();
  };

  const thread = await startBackgroundThread<ToRows, FromRows>({
    entry,
    name: 'svc-records',
    data,
    onMessage(message) {
      if (message.what === 'taken') {
        away -= message.calls;
        gathered.reuse(message.memory);
      } else if (message.what === 'state') known = { dropped: message.dropped, problem: message.problem };
      else if (message.what === 'problem') onProblem(message.file, message.reason);
      else if (message.what === 'recovered') onRecovered(message.dropped);
      else settling.shift()?.();
    },
    onEnd(reason) {
      onProblem(data.audit, `the thread that writes it has ended (${reason})`);
      lost += away + known.dropped;
      away = 0;
      known = { dropped: 0, problem: null };
      settled();
    },
  });

  const give = (): void => {
    clearTimeout(giving);
    giving = undefined;
    gathered.pack();
    const { calls } = gathered;
    if (calls === 0) return;
    const records = gathered.take();
    if (thread.post({ what: 'calls', records }, transferOf(records))) away += calls;
    else lose(calls, 'the thread that writes it is being started again');
  };

  /** Resolves when what was handed in is in the files, or lost. */
  const settle = async (end: boolean): Promise<void> => {
    give();
    await new Promise<void>(resolve => {
      if (thread.post({ what: 'settle', end })) settling.push(resolve);
      else resolve();
    });
  };

  return {
    add(record: CallRecord): void {
      if (gathered.calls + away >= mostWaiting) {
        lose(1, `${mostWaiting} calls wait to be written`);
        return;
      }
      gathered.add(record);
    },
    settled: (): Promise<void> => settle(false),
    get dropped(): number {
      return known.dropped + lost;
    },
    get problem(): string | null {
      return known.problem;
    },
    async close(): Promise<void> {
      thread.hold();
      await settle(true);
      await thread.close();
    },
  };
}
