/** What a JavaScript realm for one skill is to the server: a worker thread, or a child process. Booted, it waits for `load`. */
import type { Environment } from '../../../kernel/index.ts';
import { buffersEnd, type Link } from './worker-protocol.ts';

export interface Realm extends Link {
  /** Sequence number of the last call that began; exact once the realm has ended. */
  begun(): number;
  /** Whether its thread computes at this moment, as far as that can be known. */
  busy(): boolean;
  /** Keeps the server's event loop alive, or lets it go. */
  hold(busy: boolean): void;
  /** Told once how it ended, as a phrase after "it": `called process.exit(7)`. */
  onEnd(listener: (how: string, stack: string) => void): void;
  onOutput(listener: (level: 'info' | 'warn', line: string) => void): void;
  readonly ended: boolean;
  /** Ends it by force. Resolves when the thread or process is gone, which native code may delay. */
  end(): Promise<void>;
}

export interface RealmOptions {
  entry: URL;
  heapMb: number;
  bufferMb: number;
  env: Environment;
}

export function createEnds() {
  let told: { how: string; stack: string } | undefined;
  const listeners: ((how: string, stack: string) => void)[] = [];
  return {
    get ended(): boolean {
      return told !== undefined;
    },
    fire(how: string, stack = ''): void {
      if (told) return;
      told = { how, stack };
      for (const listener of listeners) listener(how, stack);
    },
    listen(listener: (how: string, stack: string) => void): void {
      if (told) listener(told.how, told.stack);
      else listeners.push(listener);
    },
  };
}

/** What skill code threw outside of a call; its buffers' limit speaks for itself. */
export const fatalEnd = (message: string, bufferMb: number): string =>
  message === buffersEnd(bufferMb) ? message : `threw outside of a call: ${message}`;
