/** Calls on their way to the thread that makes their rows: gathered for a moment, bounded; whoever hands one in waits for nothing. */

import { messageOf } from '../../../kernel/index.ts';
import { startBackgroundThread } from '../../../schemas/background-thread.ts';
import type { CallRecord } from '../../../schemas/call-record.ts';
import type { FromRows, RowsData, ToRows } from './handed.ts';

export interface RowsWriterParts {
  readonly entry: URL;
  readonly data: RowsData;
  /** Told once of a problem, and once when it is over with how many rows it cost. */
  onProblem(file: string, reason: string): void;
  onRecovered(dropped: number): void;
}

/** Short: what waits is copied by each collection of garbage, of which a busy gateway has one every 50 ms. */
const gatherMs = 5;
/** Calls that wait at most, and calls that go over in one turn of the loop. */
const mostWaiting = 20_000;
const mostAtOnce = 256;

export type RowsWriter = Awaited<ReturnType<typeof openRowsWriter>>;

/** Rejects when the thread cannot be started. */
export async function openRowsWriter({ entry, data, onProblem, onRecovered }: RowsWriterParts) {
  let waiting: CallRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** Handed over, and not taken yet. */
  let away = 0;
  let lost = 0;
  let known = { dropped: 0, problem: null as string | null };
  let settling: (() => void)[] = [];

  const lose = (calls: number, reason: string): void => {
    if (calls > 0 && lost === 0) onProblem(data.audit, reason);
    lost += calls;
  };

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
      if (message.what === 'taken') away -= message.calls;
      else if (message.what === 'state') known = { dropped: message.dropped, problem: message.problem };
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
    clearTimeout(timer);
    timer = undefined;
    const records = waiting.slice(0, mostAtOnce);
    waiting = waiting.slice(mostAtOnce);
    if (records.length === 0) return;
    try {
      if (thread.post({ what: 'calls', records: JSON.stringify(records) })) away += records.length;
      else lose(records.length, 'the thread that writes it is being started again');
    } catch (error) {
      // What no thread can be given is no reason to end this one.
      lose(records.length, messageOf(error));
    }
    if (waiting.length > 0) setImmediate(give);
  };

  /** Resolves when what was handed in is in the files, or lost. */
  const settle = async (end: boolean): Promise<void> => {
    while (waiting.length > 0) give();
    await new Promise<void>(resolve => {
      if (thread.post({ what: 'settle', end })) settling.push(resolve);
      else resolve();
    });
  };

  return {
    add(record: CallRecord): void {
      if (waiting.length + away >= mostWaiting) {
        lose(1, `${mostWaiting} calls wait to be written`);
        return;
      }
      waiting.push(record);
      timer ??= setTimeout(give, gatherMs);
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
