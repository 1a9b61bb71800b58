/** The own row as a file: written whole and renamed into place, then only touched. */
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../../kernel/index.ts';
import { completeRow, type InstanceRow } from '../../../schemas/instance.ts';
import type { InstanceInput, PublishedRow } from './api.ts';

export interface PublicationDeps {
  folder: string;
  /** What names the owner process. */
  owner: Record<string, unknown>;
  now: () => number;
}

/** Writes the row and keeps it until `remove`. */
export async function publishRow(input: InstanceInput, { folder, owner, now }: PublicationDeps): Promise<PublishedRow> {
  const file = join(folder, `${input.instance_id}.json`);
  let row = completed(input, owner, now());
  let removed = false;
  let last: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const text = JSON.stringify({ ...row, last_heartbeat: now() / 1000 });
    await writeWhole(file, text, { mode: 0o600, folderMode: 0o700 });
  };
  /** One after another: a late heartbeat would bring a removed row back. */
  const inTurn = (action: () => Promise<void>): Promise<void> => {
    const turn = last.then(() => (removed ? undefined : action()));
    last = turn.catch(() => undefined);
    return turn;
  };

  await inTurn(write);
  return {
    get row() {
      return row;
    },
    update(changes) {
      row = { ...row, ...changes, instance_id: row.instance_id };
      return inTurn(write);
    },
    heartbeat: () =>
      inTurn(async () => {
        const time = new Date(now());
        await utimes(file, time, time).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
          return write();
        });
      }),
    remove: () =>
      inTurn(async () => {
        removed = true;
        await rm(file, { force: true });
      }),
  };
}

function completed(input: InstanceInput, owner: Record<string, unknown>, now: number): InstanceRow {
  const { pid = process.pid, extras } = input;
  // The owner's start belongs to the process that writes, not to another that it speaks for.
  const own = (pid ?? process.pid) === process.pid && owner;
  return completeRow({ pid, registered_at: now / 1000, ...input, extras: { ...own, ...extras } });
}
