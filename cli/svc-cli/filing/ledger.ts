/**
 * What this user has filed of each finding, and the lock for doing so. A tracker's search finds a new issue only after a
 * while: until then this is what knows of it. A write is noted before it is made, so that one whose end nobody saw is not
 * made again.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takeLock } from '../../../schemas/held-lock.ts';
import { isObject, objects, parsed, text } from '../../../schemas/loose.ts';
import { cliErrors } from '../../errors.ts';
import { stateDirectory } from '../../state.ts';
import type { Binding } from './snapshot.ts';

export interface Written {
  /** `create`, or the number of the issue that it is a comment of. */
  decision: string;
  finding_sha256: string;
  /** Of the issue; none while nobody knows what became of it. */
  issue?: number;
}

/** Longer than every operation of a filing may take together. */
const staleMs = 150_000;

export type Ledger = ReturnType<typeof createLedger>;

/** Of one finding in one repository. */
export function createLedger({ repo, fingerprint }: Pick<Binding, 'repo' | 'fingerprint'>) {
  const folder = join(stateDirectory(), 'filings');
  const name = createHash('sha256').update(`${repo.toLowerCase()}\n${fingerprint}`).digest('hex');
  const file = join(folder, `${name}.json`);

  const unsure = (reason: string, cause?: unknown) => cliErrors.FILING_UNSURE({ reason, repo, file }, cause);
  const read = async (): Promise<Written[]> => {
    const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '[]';
      throw unsure(`its record cannot be read (${error.code})`, error);
    });
    const list = parsed(content);
    const known = objects(list).flatMap(({ decision, finding_sha256, issue }) =>
      text(decision) && text(finding_sha256)
        ? [{ decision, finding_sha256, ...(Number.isInteger(issue) && { issue }) } as Written]
        : [],
    );
    if (!Array.isArray(list) || known.length < list.length) {
      throw unsure('its record is damaged');
    }
    return known;
  };
  const write = async (all: readonly Written[]): Promise<void> => {
    const { writeWhole } = await import('../../../kernel/index.ts');
    await writeWhole(file, JSON.stringify(all), { mode: 0o600, folderMode: 0o700 });
  };
  const isSame = (one: Written, other: Written): boolean =>
    one.decision === other.decision && one.finding_sha256 === other.finding_sha256;

  return {
    /** The issues that were made or commented. */
    issues: async (): Promise<number[]> => [...new Set((await read()).flatMap(each => each.issue ?? []))],
    /** Rejects with SVC_CLI_FILED_ALREADY when just this has been written. */
    async assertNew(entry: Written): Promise<void> {
      const done = (await read()).find(each => isSame(each, entry));
      if (done?.issue !== undefined) throw cliErrors.FILED_ALREADY({ repo, issue: done.issue });
      if (done) throw unsure('an earlier run was ended while it wrote');
    },
    /** Rejects with SVC_CLI_FILING_UNSURE when an issue may have been made that nobody finds. */
    async assertSure(): Promise<void> {
      const lost = (await read()).some(each => each.issue === undefined && each.decision === 'create');
      if (lost) throw unsure('an earlier run was ended while it wrote');
    },
    /** Notes a write, makes it, and notes what came of it; one that was refused has never been. */
    async record<T extends { number: number }>(entry: Written, make: () => Promise<T>): Promise<T> {
      const others = (await read()).filter(each => !isSame(each, entry));
      await write([...others, entry]);
      let made: T;
      try {
        made = await make();
      } catch (error) {
        const { details } = error as { details?: unknown };
        if (isObject(details) && details.nothing_written === true) await write(others);
        throw error;
      }
      await write([...others, { ...entry, issue: made.number }]);
      return made;
    },
    /** Runs `work` while nobody else of this user files the same; rejects with SVC_CLI_FILING_BUSY otherwise. */
    async alone<T>(work: () => Promise<T>): Promise<T> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const lock = await takeLock(`${file}.lock`, staleMs);
      if (!lock) throw cliErrors.FILING_BUSY({ fingerprint });
      try {
        return await work();
      } finally {
        await lock.release();
      }
    },
  };
}
