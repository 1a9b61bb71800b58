/**
 * Whose the registered instances are, whatever token their owners bring. Kept beside the registry's rows, so that nobody
 * takes over an id while a gateway is restarted: until the time to live of a row is over, its owner may come back to it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../../../kernel/index.ts';
import { isObject, parsed, text } from '../../../../schemas/loose.ts';

interface Claim {
  readonly owner: string;
  readonly ttl_secs: number;
  /** Of a row that this gateway has not seen: until when it is waited for. */
  readonly until?: number;
}

export interface ClaimsDeps {
  directory: string;
  /** Whether an instance is registered now. */
  isThere(instance_id: string): boolean;
  /** Milliseconds of a clock that nobody sets. */
  now(): number;
  onError(error: unknown): void;
}

export type Claims = ReturnType<typeof createClaims>;

export const claimsFile = (directory: string): string => join(directory, 'claims.json');

export function createClaims({ directory, isThere, now, onError }: ClaimsDeps) {
  const file = claimsFile(directory);
  const claims = new Map<string, Claim>();
  let writing: Promise<void> | undefined;
  let changed = false;

  const holds = (instance_id: string, { until = 0 }: Claim): boolean => isThere(instance_id) || now() < until;
  const write = async (): Promise<void> => {
    while (changed) {
      changed = false;
      for (const [id, each] of claims) if (!holds(id, each)) claims.delete(id);
      const known = [...claims].map(([id, { owner, ttl_secs }]) => [id, { owner, ttl_secs }]);
      await writeWhole(file, JSON.stringify(Object.fromEntries(known)), { mode: 0o600, folderMode: 0o700 }).catch(
        onError,
      );
    }
    writing = undefined;
  };
  // After this turn, in which the row is asserted; those of a crowd go out together.
  const store = (): void => {
    changed = true;
    writing ??= Promise.resolve().then(write);
  };

  return {
    /** What the gateway before this one left. */
    async load(): Promise<void> {
      const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') onError(error);
        return '{}';
      });
      const found = parsed(content);
      if (!isObject(found)) onError(new Error(`${file} is damaged`));
      for (const [id, each] of Object.entries(isObject(found) ? found : {})) {
        const { owner, ttl_secs } = isObject(each) ? each : {};
        const known = text(owner);
        if (known === undefined || typeof ttl_secs !== 'number') continue;
        claims.set(id, { owner: known, ttl_secs, until: now() + ttl_secs * 1000 });
      }
    },
    ownerOf(instance_id: string): string | undefined {
      const claim = claims.get(instance_id);
      return claim && holds(instance_id, claim) ? claim.owner : undefined;
    },
    set(instance_id: string, owner: string, ttl_secs: number): void {
      const known = claims.get(instance_id);
      claims.set(instance_id, { owner, ttl_secs });
      if (known?.owner !== owner || known.ttl_secs !== ttl_secs) store();
    },
    /** Given back: it is anybody's. */
    drop(instance_id: string): void {
      if (claims.delete(instance_id)) store();
    },
    close: async (): Promise<void> => writing,
  };
}
