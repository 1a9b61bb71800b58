/** Hears when a file that people edit was written anew. */
import { type Stats, unwatchFile, watchFile } from 'node:fs';

const lookMs = 1000;

/** By time and size: a rename over it, a share of the network and a container's mount are all seen. Returns its end. */
export function onRewritten(file: string, read: () => unknown): () => void {
  const changed = ({ mtimeMs, size }: Stats, before: Stats): void => {
    if (mtimeMs !== before.mtimeMs || size !== before.size) void read();
  };
  watchFile(file, { interval: lookMs, persistent: false }, changed);
  return () => unwatchFile(file, changed);
}
