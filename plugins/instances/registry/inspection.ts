/** Looks at a registry directory without taking part in it: nothing is made, moved aside or removed. */
import type { Stats } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSchemas, type JsonSchema, messageOf } from '../../../kernel/index.ts';
import { InstanceRowSchema } from '../../../schemas/instance.ts';
import { quarantineFolder, rowsFolder } from './directory.ts';
import type { RegistryInspection } from './entry.ts';
import { createProcessIdentity } from './process-identity.ts';
import { readRow } from './row-text.ts';

/** A missing directory is an empty one. */
export async function inspectRegistry(directory: string): Promise<RegistryInspection> {
  const folder = rowsFolder(directory);
  const validate = createSchemas().compileWithDefaults(InstanceRowSchema as unknown as JsonSchema);
  const { isAlive } = createProcessIdentity();
  const [names, quarantined] = await Promise.all([namesIn(folder), namesIn(quarantineFolder(directory))]);
  const found: RegistryInspection = { rows: [], unreadable: [], quarantined };
  for (const name of names.filter(each => each.endsWith('.json'))) {
    try {
      const path = join(folder, name);
      const stats: Stats = await lstat(path);
      if (!stats.isFile()) {
        found.unreadable.push({ file: name, reason: 'it is not a file' });
        continue;
      }
      const reading = readRow(await readFile(path, 'utf8'), name.slice(0, -'.json'.length), validate);
      if ('row' in reading) {
        found.rows.push({ row: reading.row, last_heartbeat: stats.mtimeMs, alive: isAlive(reading.row) });
      } else found.unreadable.push({ file: name, reason: reading.reason });
    } catch (error) {
      // One that went while we looked is no finding.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      found.unreadable.push({ file: name, reason: messageOf(error) });
    }
  }
  return found;
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
