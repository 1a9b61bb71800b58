/** One page that reads the stream: what waits for it, bounded. Who is too slow gets the state anew in place of what it missed. */

/** Messages that may wait: some seconds of them. */
const mostWaiting = 40;

export interface Message {
  readonly event: 'hello' | 'frame';
  /** JSON. */
  readonly data: string;
}

export function createReader(hello: () => string) {
  let waiting: Message[] = [{ event: 'hello', data: hello() }];
  let late = false;
  let wake: (() => void) | undefined;

  return {
    push(message: Message): void {
      if (waiting.length >= mostWaiting) {
        waiting = [];
        late = true;
      }
      if (!late) waiting.push(message);
      wake?.();
    },
    async *messages(signal: AbortSignal): AsyncGenerator<Message> {
      signal.addEventListener('abort', () => wake?.(), { once: true });
      while (!signal.aborted) {
        if (late) {
          late = false;
          waiting = [];
          yield { event: 'hello', data: hello() };
        }
        const next = waiting.shift();
        if (next) yield next;
        else {
          await new Promise<void>(resolve => {
            wake = resolve;
          });
        }
      }
    },
  };
}

export type Reader = ReturnType<typeof createReader>;
