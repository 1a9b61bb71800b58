/**
 * What was approved, a file for each skill directory and each server, beside the registry's rows: all servers of a user
 * on a machine share it. A file also holds what waits, so that it can be accepted without a running server.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../../kernel/index.ts';
import { isObject, parsed } from '../../../schemas/loose.ts';

export type SubjectKind = 'skill' | 'server';

/** What a tool says, as far as people can compare it. */
export interface SaidOfTool {
  readonly fingerprint: string;
  readonly description: string;
  /** Title and annotations: no part of the fingerprint, and approved with it. */
  readonly hints?: string;
}

export interface Said {
  /** RFC 3339. */
  at: string;
  tools: Readonly<Record<string, SaidOfTool>>;
}

export interface StoredApproval {
  kind: SubjectKind;
  key: string;
  name: string;
  /** How the last approval came about. */
  by: 'first_use' | 'accepted';
  approved: Said;
  pending: Said | null;
}

export interface ApprovalStore {
  get(kind: SubjectKind, key: string): Promise<StoredApproval | undefined>;
  put(record: StoredApproval): Promise<void>;
  list(): Promise<StoredApproval[]>;
}

export const approvalsFolder = (registry: string): string => join(registry, 'approvals');

export function createApprovalStore(registry: string): ApprovalStore {
  const folder = approvalsFolder(registry);
  const fileOf = (kind: SubjectKind, key: string): string =>
    join(folder, `${createHash('sha256').update(`${kind}\0${key}`).digest('hex').slice(0, 32)}.json`);

  const read = async (file: string): Promise<StoredApproval | undefined> => {
    const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    return content === undefined ? undefined : approvalIn(content, file);
  };

  return {
    get: (kind, key) => read(fileOf(kind, key)),
    put: record =>
      writeWhole(fileOf(record.kind, record.key), JSON.stringify(record), { mode: 0o600, folderMode: 0o700 }),
    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return [];
      });
      const files = names.filter(each => /^[0-9a-f]{32}\.json$/.test(each));
      const found = await Promise.all(files.map(each => read(join(folder, each)).catch(() => undefined)));
      return found.filter(each => each !== undefined);
    },
  };
}

/** Throws for what is none: it was approved once, and nobody knows what. */
function approvalIn(content: string, file: string): StoredApproval {
  const value = parsed(content);
  const known = isObject(value) && isObject(value.approved) && isObject(value.approved.tools);
  if (!known) throw new Error(`${file} is damaged: delete it to approve anew what is seen next`);
  return value as unknown as StoredApproval;
}
