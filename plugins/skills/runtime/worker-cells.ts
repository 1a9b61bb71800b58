/**
 * What a skill's process says without being asked, and even when it never yields: two numbers in a file that nobody else
 * can open. The memory that a thread shares with the server does the same for it.
 */

import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Place of the file among the descriptors of the process. */
export const cellsFd = 4;

const cellBytes = 8;
const cell = Buffer.alloc(cellBytes);

/** Cell: sequence number of the last call that began. */
const begun = 0;
/** Cell: when its loop last turned, in ms since the epoch. */
const turned = 1;

/** In the process. */
export const ownCells = {
  begin: (sequence: number): void => put(begun, sequence),
  turn: (): void => put(turned, Date.now()),
};

function put(index: number, value: number): void {
  cell.writeDoubleLE(value);
  writeSync(cellsFd, cell, 0, cellBytes, index * cellBytes);
}

/** In the server: a new file, without a name as soon as the system allows it. */
export function createCells() {
  const path = join(tmpdir(), `svc-${randomUUID()}`);
  const fd = openSync(path, 'wx+', 0o600);
  rmSync(path, { force: true });
  let last = [0, 0];
  const read = (index: number): number => {
    if (!closed && readSync(fd, cell, 0, cellBytes, index * cellBytes) === cellBytes) last[index] = cell.readDoubleLE();
    return last[index] ?? 0;
  };
  let closed = false;
  return {
    fd,
    begun: (): number => read(begun),
    turned: (): number => read(turned),
    /** What was last there can still be asked for. */
    close(): void {
      if (closed) return;
      last = [read(begun), read(turned)];
      closed = true;
      closeSync(fd);
    },
  };
}
