/** The thread that reads what was captured: started with the capture, and anew where it ends by itself. */
import { setTimeout as pause } from 'node:timers/promises';
import { threadEntry } from '../../kernel/index.ts';
import { startBackgroundThread } from '../../schemas/background-thread.ts';
import { type TapeMemory, transferOf } from '../../schemas/tape.ts';
import type { Batch, FrameText, FromReader, ReaderData, ReaderReport, ToReader } from './handed.ts';

export interface ReaderDeps {
  readonly data: ReaderData;
  /** The oldest batch was read, and its memory comes back; without it, it was lost with its thread. */
  onHandled(frames: readonly FrameText[], memory: TapeMemory | undefined): void;
  /** For people. */
  tell(sentence: string): void;
}

export type Reader = Awaited<ReturnType<typeof openReader>>;

/** Rejects when the thread cannot be started. */
export async function openReader({ data, onHandled, tell }: ReaderDeps) {
  const entry = await threadEntry('traffic-reader', 'plugins/traffic/reader-thread.ts');
  const decisions = { captured: 0, excluded: 0, not_included: 0 };
  const paths = new Set<string>();
  let report: ReaderReport = { decisions: { ...decisions }, newPaths: [], sinks: data.files.map(unused) };
  let unread = 0;
  let flushed: () => void = () => undefined;

  const learn = (told: ReaderReport): void => {
    report = told;
    for (const each of told.newPaths) paths.add(each);
  };

  const hear = (message: FromReader): void => {
    if (message.what === 'handled') {
      unread -= 1;
      learn(message.report);
      onHandled(message.frames, message.memory);
    } else if (message.what === 'report') learn(message.report);
    else if (message.what === 'told') tell(message.sentence);
    else if (message.what === 'flushed') flushed();
  };

  const thread = await startBackgroundThread<ToReader, FromReader>({
    ...{ entry, name: 'svc-traffic', data, onMessage: hear },
    onEnd(reason) {
      // What it had counted stays counted.
      for (const name of Object.keys(decisions) as (keyof typeof decisions)[])
        decisions[name] += report.decisions[name];
      report = { ...report, decisions: { captured: 0, excluded: 0, not_included: 0 } };
      for (; unread > 0; unread -= 1) onHandled([], undefined);
      flushed();
      tell(`the thread that reads captured traffic has ended (${reason}): it is started again`);
    },
  });

  return {
    /** Whether there is a thread for it. */
    read(batch: Batch): boolean {
      const posted = thread.post(batch, transferOf(batch.items));
      if (posted) unread += 1;
      return posted;
    },
    state: () => {
      const { captured, excluded, not_included } = report.decisions;
      return {
        captured: decisions.captured + captured,
        refused: {
          excluded: decisions.excluded + excluded,
          not_included: decisions.not_included + not_included,
        },
        redactedPaths: [...paths],
        sinks: report.sinks,
      };
    },
    /** Resolves when everything is in the files, or after `ms`. */
    async flush(ms: number): Promise<void> {
      thread.hold();
      const late = new AbortController();
      const done = new Promise<void>(resolve => {
        flushed = resolve;
      });
      if (!thread.post({ what: 'flush', ms })) return;
      // A little more than it takes: what it gave up is told.
      await Promise.race([done, pause(ms + 500, undefined, { signal: late.signal }).catch(() => undefined)]);
      late.abort();
    },
    close: thread.close,
  };
}

const unused = () => ({ kind: 'jsonl', waiting: 0, written: 0, lost: 0, last_error: null });
