/** What other plugins may use of the registry: the files that the instances of this user on this machine publish. */
import type { Disposer } from '../../../kernel/index.ts';
import type { InstanceRow } from '../../../schemas/instance.ts';
import type { RegistryEntry, RegistryInspection } from './entry.ts';

export type { InstanceRow, InstanceStatus } from '../../../schemas/instance.ts';
export { registryDirectory, rowsFolder } from './directory.ts';
export type { RegistryEntry, RegistryInspection } from './entry.ts';

/** What a publisher gives; the registry adds the schema version, the owner process and the time. */
export type InstanceInput = Pick<InstanceRow, 'instance_id' | 'dcc_type' | 'host' | 'port'> &
  Partial<Omit<InstanceRow, 'schema_version'>>;

/** A row of our own on disk. */
export interface PublishedRow {
  readonly row: InstanceRow;
  /** Writes the row anew, atomically; updates wait for each other. After `remove` it does nothing. */
  update(changes: Partial<InstanceRow>): Promise<void>;
  /** Sets the file's time, no more; writes the file again when somebody removed it. */
  heartbeat(): Promise<void>;
  /** Deletes the file. */
  remove(): Promise<void>;
}

export interface RegistryProblem {
  /** Name of the file, or what else the problem is about. */
  readonly file: string;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface RegistrySnapshot {
  readonly rows: readonly RegistryEntry[];
  /** What was found wrong by this reading: each problem is told once, while its file stays as it is. */
  readonly problems: readonly RegistryProblem[];
}

/** Reads a registry directory, for a program that is no part of it; loaded when it is asked for. */
export async function inspectRegistry(directory: string): Promise<RegistryInspection> {
  const { inspectRegistry: inspect } = await import('./inspection.ts');
  return inspect(directory);
}

export interface RegistryService {
  /** The shared directory; launch locks, pid files and logs of the daemon stand in it too. */
  readonly directory: string;
  /**
   * One text for this directory as this user has it, another for every other: who meets a gateway can tell whether it reads
   * the same rows. Says neither path nor user.
   */
  identity(): string;
  /** Makes the directory; rejects with SVC_REGISTRY_UNSAFE or SVC_REGISTRY_UNWRITABLE. Idempotent. */
  prepare(): Promise<void>;
  publish(input: InstanceInput): Promise<PublishedRow>;
  /** Reads every row; files that cannot be read as one are moved to `quarantine/`. A missing directory is an empty one. */
  read(): Promise<RegistrySnapshot>;
  /** Deletes the row of an instance, whoever published it. */
  remove(instance_id: string): Promise<void>;
  /** Whether the owner process of a row lives now. */
  isAlive(row: InstanceRow): boolean | null;
  /** Whether there is any process of its ids here, be it another by now; cheap enough for twice a second and every row. */
  exists(row: InstanceRow): boolean;
  /** Calls when rows come, go or are rewritten; a heartbeat alone is not told. Best effort: read from time to time as well. */
  watch(listener: () => void): Disposer;
}

declare module 'fastify' {
  interface FastifyInstance {
    registry: RegistryService;
  }
}
