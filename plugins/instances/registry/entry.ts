/** What is read of a registry directory. */
import type { InstanceRow } from '../../../schemas/instance.ts';

export interface RegistryEntry {
  readonly row: InstanceRow;
  /** Milliseconds since the epoch. */
  readonly last_heartbeat: number;
  /** Whether the owner process lives; null when that cannot be known (no pid, another machine). */
  readonly alive: boolean | null;
}

/** What somebody sees who only looks. */
export interface RegistryInspection {
  readonly rows: RegistryEntry[];
  readonly unreadable: { file: string; reason: string }[];
  /** Files that servers moved aside because they could not be read as rows. */
  readonly quarantined: readonly string[];
}
