/** How far a call is: one line of the terminal that is drawn anew, and a line for each report anywhere else. */

import { type Progress, progressText } from '../called-tool.ts';
import { plain } from '../columns.ts';

const barWidth = 24;
const drawnEveryMs = 100;
const turning = '|/-\\';

export interface ProgressBar {
  report(progress: Progress): void;
  /** A line above the bar. */
  log(text: string): void;
  /** Takes the bar away. */
  end(): void;
}

/** `lines` says whether reports are worth a line each where no bar can be drawn. */
export function createProgressBar(stream: NodeJS.WriteStream, lines: boolean): ProgressBar {
  const write = (text: string): void => void stream.write(text);
  if (!stream.isTTY) {
    const line = (text: string): void => (lines ? write(`  ${plain(text)}\n`) : undefined);
    return { report: progress => line(progressText(progress)), log: line, end: () => undefined };
  }
  const started = Date.now();
  let last: Progress | undefined;
  let turn = 0;
  const draw = (): void => {
    turn += 1;
    const secs = Math.round((Date.now() - started) / 1000);
    write(`\r\u001b[K${barText(last, turn, secs).slice(0, Math.max(1, (stream.columns || 80) - 1))}`);
  };
  // A call that is answered at once shows nothing.
  const timer = setInterval(draw, drawnEveryMs);
  timer.unref();
  return {
    report(progress) {
      last = progress;
    },
    log: text => write(`\r\u001b[K  ${plain(text)}\n`),
    end() {
      clearInterval(timer);
      if (turn > 0) write('\r\u001b[K');
    },
  };
}

/** Without a total there is no share: it only shows that something is going on. */
export function barText(progress: Progress | undefined, turn: number, secs: number): string {
  const { current = 0, total, message = '' } = progress ?? {};
  if (total === undefined || !(total > 0)) {
    const count = progress ? `${current} ` : '';
    return `${turning[turn % turning.length]} ${count}${plain(message)} (${secs} s)`.replaceAll(/ +/g, ' ');
  }
  const share = Math.min(1, Math.max(0, current / total));
  const full = Math.round(share * barWidth);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const bar = '#'.repeat(full) + '-'.repeat(barWidth - full);
  return `[${bar}]${percent} ${current}/${total} ${plain(message)}`.trimEnd();
}
