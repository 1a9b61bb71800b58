/** The registry of running instances: one file each in a directory that the processes of one user share. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, type Validator } from '../../../kernel/index.ts';
import type { InstanceInput, PublishedRow, RegistryService } from './api.ts';
import { directoryIdentity, prepareDirectory, quarantineFolder, rowsFolder } from './directory.ts';
import { createProcessIdentity } from './process-identity.ts';
import { publishRow } from './published-row.ts';
import { createRowReader } from './row-reader.ts';
import { watchRows } from './row-watch.ts';

export interface RegistryDeps {
  directory: string;
  /** Made on first reading: who only publishes validates nothing. */
  validator: () => Validator;
  now: () => number;
  /** The same where nobody sets the clock. */
  steady?: () => number;
  /** Told when watching ends by itself. */
  onWatchFailure: (error: unknown) => void;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function createRegistryService(deps: RegistryDeps): RegistryService {
  const { directory, validator, now, steady = now, onWatchFailure } = deps;
  const folder = rowsFolder(directory);
  const identity = createProcessIdentity();
  const { isAlive, exists } = identity;
  const reader = createRowReader({ folder, quarantine: quarantineFolder(directory), validator, isAlive, now, steady });
  let prepared: Promise<void> | undefined;
  let toldUnsafe = false;

  const prepare = (): Promise<void> => {
    prepared ??= prepareDirectory(directory).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };

  return {
    directory,
    identity: () => directoryIdentity(directory),
    prepare,
    async publish(input: InstanceInput): Promise<PublishedRow> {
      if (!uuid.test(input.instance_id)) throw new TypeError(`"${input.instance_id}" is not a UUID in small letters`);
      await prepare();
      return publishRow(input, { folder, owner: identity.extras, now });
    },
    async read() {
      try {
        await prepare();
      } catch (error) {
        const problems = toldUnsafe ? [] : [{ file: directory, reason: messageOf(error), at: now() }];
        toldUnsafe = true;
        return { rows: [], problems };
      }
      return reader.read();
    },
    async remove(instanceId) {
      if (uuid.test(instanceId)) await rm(join(folder, `${instanceId}.json`), { force: true });
    },
    isAlive,
    exists,
    watch: listener => watchRows(folder, listener, onWatchFailure),
  };
}
