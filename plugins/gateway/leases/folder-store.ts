/** Leases as files, one each, beside the rows of the instances: gateways that share a registry share them. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../../kernel/index.ts';
import { isObject, isUuid, parsed, text } from '../../../schemas/loose.ts';
import type { Lease } from './api.ts';
import type { LeaseStore } from './store.ts';

const mode = { mode: 0o600, folderMode: 0o700 };

export function createFolderStore(folder: string): LeaseStore {
  const fileOf = (instance_id: string): string => join(folder, `${instance_id}.json`);

  const read = async (name: string): Promise<Lease | undefined> => {
    const instance_id = name.slice(0, -'.json'.length);
    if (!name.endsWith('.json') || !isUuid(instance_id)) return undefined;
    // One that is given back meanwhile is none.
    return leaseIn(await readFile(fileOf(instance_id), 'utf8').catch(() => ''), instance_id);
  };

  return {
    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return [];
      });
      return (await Promise.all(names.map(read))).filter(each => each !== undefined);
    },
    async create(lease) {
      await mkdir(folder, { recursive: true, mode: mode.folderMode });
      const part = `${fileOf(lease.instance_id)}.${randomUUID()}`;
      try {
        // Under its name it is whole from the first moment: another gateway would take half of one for none.
        await writeFile(part, JSON.stringify(lease), { mode: mode.mode });
        await link(part, fileOf(lease.instance_id));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      } finally {
        await rm(part, { force: true });
      }
    },
    replace: lease => writeWhole(fileOf(lease.instance_id), JSON.stringify(lease), mode),
    async remove(lease) {
      const file = fileOf(lease.instance_id);
      const aside = `${file}.${randomUUID()}`;
      try {
        await rename(file, aside);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
        throw error;
      }
      const found = leaseIn(await readFile(aside, 'utf8').catch(() => ''), lease.instance_id);
      // Another gateway has taken or renewed it meanwhile.
      if (found && JSON.stringify(found) !== JSON.stringify(lease)) await link(aside, file).catch(() => undefined);
      await rm(aside, { force: true });
    },
  };
}

function leaseIn(content: string, instance_id: string): Lease | undefined {
  const value = parsed(content);
  if (!isObject(value)) return undefined;
  const { lease_owner, lease_expires_at, current_job_id } = value;
  if (text(lease_owner) === undefined || typeof lease_expires_at !== 'number') return undefined;
  return {
    instance_id,
    lease_owner: String(lease_owner),
    lease_expires_at,
    current_job_id: text(current_job_id) ?? null,
  };
}
