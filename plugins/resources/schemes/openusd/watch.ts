/** Follows a project on disk: compares each stock that is taken with the one before, and takes one when files change. */
import type { Logger } from '../../../../kernel/index.ts';
import type { ResourcesService } from '../../api.ts';
import { changesBetween } from './changes.ts';
import { createFolderWatch } from './folders.ts';
import type { Inventory } from './inventory.ts';

/** A burst of changes is looked at once. */
const settleMs = 100;
/** Least rest between two looks, as a multiple of how long the last took: a render that never ends must not keep it busy. */
const restFactor = 4;

export interface ProjectWatchDeps {
  inventory: () => Promise<Inventory>;
  resources: Pick<ResourcesService, 'updated' | 'removed' | 'listChanged'>;
  log: Pick<Logger, 'warn'>;
}

export function createProjectWatch({ inventory, resources, log }: ProjectWatchDeps) {
  let before: Inventory | undefined;
  let touched = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let restMs = 0;
  let closed = false;

  const folders = createFolderWatch({
    onTouch() {
      touched = performance.now();
      schedule();
    },
    onGap: err =>
      log.warn({ err }, 'not every folder of the OpenUSD project is watched: read again to see changes there'),
  });

  const schedule = (): void => {
    if (closed) return;
    timer ??= setTimeout(
      () => {
        timer = undefined;
        const begun = performance.now();
        look()
          .catch(err => log.warn({ err }, 'the OpenUSD project cannot be looked at'))
          .finally(() => {
            restMs = (performance.now() - begun) * restFactor;
          });
      },
      Math.max(settleMs, restMs),
    ).unref();
  };

  const look = async (): Promise<Inventory> => {
    const begun = performance.now();
    // Of those who share a stock the first is the one who began it, and goes on first.
    const stock = await inventory();
    if (closed || before === stock) return stock;
    if (before) void tell(before, stock);
    before = stock;
    if (touched > begun) schedule();
    // A file may change between its being read and its being watched.
    void folders.follow(stock).then(fresh => fresh && schedule());
    return stock;
  };

  const tell = async (old: Inventory, now: Inventory): Promise<void> => {
    const { updated, removed, list } = await changesBetween(old, now);
    if (closed) return;
    for (const uri of updated) resources.updated(uri);
    for (const uri of removed) resources.removed(uri);
    if (list) resources.listChanged();
  };

  return {
    /** The project at this moment. With the first one watching begins: before that nobody knows what could change. */
    inventory: look,
    close(): void {
      closed = true;
      clearTimeout(timer);
      folders.close();
    },
  };
}
