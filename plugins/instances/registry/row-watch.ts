/** Tells when rows come, go or are written anew. */
import { existsSync, type FSWatcher, mkdirSync, watch } from 'node:fs';
import type { Disposer } from '../../../kernel/index.ts';

/** A folder that was deleted while watched is made and watched again. */
const againMs = 1000;

/** `onFailure` is told once when watching is not possible; the caller reads from time to time anyway. */
export function watchRows(folder: string, listener: () => void, onFailure: (error: unknown) => void): Disposer {
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;

  const end = (): void => {
    clearTimeout(timer);
    watcher?.close();
    watcher = undefined;
  };
  const begin = (): void => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      watcher = watch(folder, { persistent: false });
    } catch (error) {
      onFailure(error);
      return;
    }
    watcher.on('change', (kind, name) => {
      // A touched file is a heartbeat; what a row that comes, goes or changes does is a rename.
      if (kind !== 'rename') return;
      if (!existsSync(folder)) {
        end();
        timer = setTimeout(begin, againMs).unref();
      }
      if (name === null || !String(name).endsWith('.part')) listener();
    });
    watcher.on('error', error => {
      end();
      onFailure(error);
    });
  };

  begin();
  return end;
}
