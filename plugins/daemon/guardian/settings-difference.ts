/** What the running daemon is set to otherwise than this server would have it: who launched it decided. */
import { readFile, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Json, objectOf, parsed } from '../../../schemas/loose.ts';

export interface DifferenceParts {
  /** Where the daemon wrote down what it is set to. */
  file: string;
  /** What this server would launch it with. */
  wanted(): Promise<Json>;
  /** Told when the list has changed. */
  onChange(different: readonly Difference[]): void;
}

export interface Difference {
  name: string;
  /** A switch or a number; other values may be secrets. */
  here?: boolean | number;
  there?: boolean | number;
}

/** How much a process logs is the affair of who launched it. */
const compared = (name: string): boolean => !name.startsWith('log_');

export function createDifferenceWatch({ file, wanted, onChange }: DifferenceParts) {
  let readAt: number | undefined;
  let told = '[]';
  return {
    /** Compares when the file was written anew; never rejects. */
    async look(): Promise<void> {
      const writtenAt = await stat(file).then(
        found => found.mtimeMs,
        () => undefined,
      );
      if (writtenAt === undefined || writtenAt === readAt) return;
      readAt = writtenAt;
      const there = objectOf(parsed(await readFile(file, 'utf8').catch(() => '')));
      const different = differences(await wanted(), there);
      const text = JSON.stringify(different);
      if (text === told) return;
      told = text;
      onChange(different);
    },
  };
}

export function differences(here: Json, there: Json): Difference[] {
  return Object.keys(here)
    .filter(name => compared(name) && name in there && !isDeepStrictEqual(here[name], there[name]))
    .map(name => ({ name, ...shown('here', here[name]), ...shown('there', there[name]) }));
}

const shown = (key: 'here' | 'there', value: unknown): object =>
  typeof value === 'boolean' || typeof value === 'number' ? { [key]: value } : {};

/** `gateway_read_only (true here, false there), gateway_register_tokens`. */
export const describeDifferences = (different: readonly Difference[]): string =>
  different
    .map(({ name, here, there }) =>
      here === undefined || there === undefined ? name : `${name} (${here} here, ${there} there)`,
    )
    .join(', ');
