/** Turns printed text into log lines within a budget: a skill that prints without end costs neither memory nor time. */
import { createBudget } from './budget.ts';

const longestLine = 4096;
const burst = 200;
const perSecond = 50;
/** A private key is printed over many lines of which none but the first looks like one. */
const keyBegins = /-----BEGIN [A-Z ]*PRIVATE KEY(?!.*-----END )/;
const longestKey = 200;

/** `emit` receives whole lines, cut at 4,096 characters; beyond 200 at once or 50 a second they are counted instead. */
export function createLineSink(emit: (line: string) => void, now: () => number = Date.now) {
  let partial = '';
  let dropped = 0;
  /** Lines of a key that may still come. */
  let ofKey = 0;
  const budget = createBudget(burst, perSecond, now);

  const line = (text: string): void => {
    if (ofKey > 0) {
      ofKey = text.includes('-----END ') ? 0 : ofKey - 1;
      return;
    }
    if (keyBegins.test(text)) ofKey = longestKey;
    if (!budget.take()) {
      dropped += 1;
      return;
    }
    if (dropped > 0) emit(`[${dropped} more lines dropped]`);
    dropped = 0;
    if (text !== '') emit(text.length > longestLine ? `${text.slice(0, longestLine)}...` : text);
  };

  return {
    write(text: string): void {
      if (budget.spent) {
        // Not even split: the point is to be cheap.
        dropped += 1;
        partial = '';
        return;
      }
      const lines = (partial + text).split('\n');
      partial = (lines.pop() ?? '').slice(0, longestLine + 1);
      for (const each of lines) line(each.endsWith('\r') ? each.slice(0, -1) : each);
    },
    /** Emits an unfinished last line. */
    end(): void {
      if (partial !== '' || dropped > 0) line(partial);
      partial = '';
    },
    /** True while lines are being dropped. */
    get full(): boolean {
      return budget.spent;
    },
  };
}

/** Reads a stream into `emit` line by line; a flooding writer is read at a trickle. */
export function readLines(stream: NodeJS.ReadableStream, emit: (line: string) => void): void {
  const sink = createLineSink(emit);
  let timer: NodeJS.Timeout | undefined;
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    sink.write(text);
    if (!sink.full || timer) return;
    stream.pause();
    timer = setTimeout(() => {
      timer = undefined;
      stream.resume();
    }, 50);
    timer.unref();
  });
  const finish = (): void => {
    clearTimeout(timer);
    sink.end();
  };
  stream.once('end', finish);
  stream.on('error', finish);
}
