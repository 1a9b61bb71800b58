/** What the gateway says of itself to instances that ask: the key of a server of its own user, or a token that it was given. */
import { readFile, stat } from 'node:fs/promises';
import { Type } from 'typebox';
import { parse } from 'yaml';
import { type JsonSchema, type Logger, messageOf, type Schemas, summary } from '../../../kernel/index.ts';
import { isLoopback } from '../../../schemas/address.ts';
import { localAuthorization } from '../../../schemas/local-key.ts';
import { onRewritten } from '../../../schemas/rewritten.ts';
import type { Instance } from '../../instances/api.ts';
import { backendErrors } from './errors.ts';

const FileSchema = Type.Array(
  Type.Object(
    { url: Type.String({ pattern: '^https?://' }), token: Type.String({ minLength: 1, pattern: '^\\S+$' }) },
    { additionalProperties: false },
  ),
);

export interface BackendToken {
  url: string;
  token: string;
}

/** The token of the longest beginning of the address; a host is never the beginning of another. */
export function tokenFor(entries: readonly BackendToken[], mcp_url: string): string | undefined {
  const fits = ({ url }: BackendToken): boolean =>
    mcp_url === url || mcp_url.startsWith(url.endsWith('/') ? url : `${url}/`);
  return [...entries].sort((a, b) => b.url.length - a.url.length).find(fits)?.token;
}

export interface BackendTokensDeps {
  file: string;
  schemas: Pick<Schemas, 'compile'>;
  log: Pick<Logger, 'info' | 'error'>;
}

/** Rejects with SVC_BACKEND_TOKENS_FILE; what is wrong later is logged, and what was read before holds. */
export async function openBackendTokens({ file, schemas, log }: BackendTokensDeps) {
  const validate = schemas.compile(FileSchema as unknown as JsonSchema, 'own');
  const read = async (): Promise<readonly BackendToken[]> => {
    try {
      const { mode } = await stat(file);
      if (process.getuid && (mode & 0o077) !== 0) throw new Error('others may read it: chmod 600');
      const found: unknown = parse(await readFile(file, 'utf8'), { prettyErrors: false }) ?? [];
      const problems = validate(found);
      if (problems) throw new Error(summary(problems));
      return found as BackendToken[];
    } catch (error) {
      // The parser quotes what it cannot read.
      const reason =
        error instanceof SyntaxError || (error as Error).name.startsWith('YAML') ? 'it is no YAML' : messageOf(error);
      throw backendErrors.TOKENS_FILE({ file, reason });
    }
  };
  let entries = await read();
  const again = (): Promise<void> =>
    read().then(
      found => {
        entries = found;
        log.info({ file }, 'the tokens for instances were read again');
      },
      error => log.error(messageOf(error)),
    );
  return { entries: () => entries, close: onRewritten(file, again) };
}

/**
 * What an instance wants to hear, asked for each request, since the file may have another token by then; undefined where
 * there is never anything to say. A server of this user on this machine has left a key; any other has to be in the file.
 */
export const createAuthorization =
  (directory: string, entriesNow: (() => readonly BackendToken[]) | undefined) =>
  ({ source, mcp_url, row }: Pick<Instance, 'source' | 'mcp_url' | 'row'>): (() => string | undefined) | undefined => {
    const isOurs = source === 'file' && isLoopback(row.host);
    const local = isOurs ? localAuthorization(directory, row.port) : undefined;
    if (!entriesNow) return local === undefined ? undefined : () => local;
    let seen: readonly BackendToken[] | undefined;
    let said: string | undefined;
    return () => {
      const entries = entriesNow();
      if (entries === seen) return said;
      seen = entries;
      const token = tokenFor(entries, mcp_url);
      said = token === undefined ? local : `Bearer ${token}`;
      return said;
    };
  };
