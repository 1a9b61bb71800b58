/** Registries of tests: real folders, rows as any program may write them, and processes that own rows. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSchemas, type JsonSchema } from '../../../../kernel/index.ts';
import type { InstanceInput } from '../../../../plugins/instances/registry/api.ts';
import { createRegistryService } from '../../../../plugins/instances/registry/registry.ts';
import { type InstanceRow, InstanceRowSchema } from '../../../../schemas/instance.ts';
import { tempDir } from '../../../helper.ts';

export const validator = createSchemas().compileWithDefaults(InstanceRowSchema as unknown as JsonSchema);

/** A registry in a fresh folder. */
export async function testRegistry(now: () => number = Date.now, given?: string) {
  const directory = given ?? join(await tempDir(), 'registry');
  const failures: unknown[] = [];
  const onWatchFailure = (error: unknown): void => void failures.push(error);
  const registry = createRegistryService({ directory, validator: () => validator, now, onWatchFailure });
  await registry.prepare();
  return { registry, directory, rows: join(directory, 'instances'), failures };
}

export const input = (changes: Partial<InstanceInput> = {}): InstanceInput => ({
  instance_id: randomUUID(),
  dcc_type: 'maya',
  host: '127.0.0.1',
  port: 40_000,
  ...changes,
});

/** A row as a source may assert it: nothing in it but where the instance is. */
export const emptyRow = (changes: Partial<InstanceRow> = {}): InstanceRow => ({
  schema_version: 1,
  instance_id: randomUUID(),
  dcc_type: 'maya',
  host: '127.0.0.1',
  port: 40_000,
  version: null,
  adapter_version: null,
  adapter_dcc: null,
  scene: null,
  documents: [],
  pid: null,
  host_pid: null,
  display_name: null,
  metadata: {},
  extras: {},
  registered_at: 0,
  status: 'available',
  capacity: 1,
  lease_owner: null,
  current_job_id: null,
  lease_expires_at: null,
  ...changes,
});

/** Writes a row as another program would; returns its id. */
export async function writeRow(directory: string, changes: Record<string, unknown> = {}): Promise<string> {
  const row = { schema_version: 1, ...input(), registered_at: Date.now() / 1000, ...changes };
  await mkdir(join(directory, 'instances'), { recursive: true, mode: 0o700 });
  await writeFile(join(directory, 'instances', `${row.instance_id}.json`), JSON.stringify(row));
  return row.instance_id;
}

/** A process that does nothing until it is killed. */
export function idleProcess(): ChildProcess & { readonly pid: number } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child as ChildProcess & { readonly pid: number };
}

/** Resolves when a process has ended. */
export const ended = (child: ChildProcess): Promise<void> =>
  new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
