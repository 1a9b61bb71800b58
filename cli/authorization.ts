/** What lets a command in at a server: the token that its user gave, or the key that a server of this user has left. */
import { registryDirectory } from '../plugins/instances/registry/api.ts';
import { isLoopback } from '../schemas/address.ts';
import { localAuthorizationFor } from '../schemas/local-key.ts';
import { ownToken } from '../schemas/own-token.ts';
import { cliErrors } from './errors.ts';
import { readRecords } from './running.ts';

/** Of the environment: a secret has no place on a command line. */
const given = { token: 'SVC_CALL_TOKEN', file: 'SVC_CALL_TOKEN_FILE' } as const;

/** The headers for a server at `url`; `registries` are further directories in which one of this user may have left its key. */
export async function authorizationFor(
  url: string,
  registries: readonly (string | undefined)[] = [],
): Promise<{ authorization?: string }> {
  const token = await givenToken();
  const authorization = token === undefined ? await localKey(new URL(url), registries) : `Bearer ${token}`;
  return authorization === undefined ? {} : { authorization };
}

async function givenToken(): Promise<string | undefined> {
  const path = process.env[given.file] || null;
  const token = await ownToken(path, process.env[given.token] || null).catch((error: NodeJS.ErrnoException) => {
    const about = { what: `The file of ${given.file}`, path };
    throw error.code === 'ENOENT' ? cliErrors.PATH_MISSING(about, error) : cliErrors.PATH_UNREADABLE(about, error);
  });
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    const flag = path === null ? given.token : `${given.file} ${path}`;
    throw cliErrors.FLAG_INVALID({ flag, reason: 'a token is one word of visible ASCII characters' });
  }
  return token;
}

/** The first that fits, of the directories where servers of this user are known to be. */
async function localKey(url: URL, registries: readonly (string | undefined)[]): Promise<string | undefined> {
  const own = registryDirectory(process.env.SVC_REGISTRY_DIR || null);
  const known = new Set([...registries, own, ...(await readRecords()).map(each => each.registry_dir)]);
  for (const directory of known) {
    const found = directory === undefined ? undefined : localAuthorizationFor(directory, url);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `localhost` is this machine: the address at which a server of this user has that port; any other as it is. */
export async function ownAddress(origin: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  if (hostname !== 'localhost') return origin;
  const here = (await readRecords()).map(each => new URL(each.url));
  return here.find(each => each.port === port && isLoopback(each.hostname))?.origin ?? origin;
}

/** What a server said that let nobody in. */
export interface Refused {
  url: string;
  status: number;
  message?: unknown;
  kind?: unknown;
}

/** What to do about a refusal for want of a token, or of a better one; nothing for any other. */
export function refusedEntry({ url, status, message, kind }: Refused): Error | undefined {
  const how = `set ${given.token}, or ${given.file} to the file that holds it`;
  const said = typeof message === 'string' && typeof kind === 'string' ? ` (${message})` : '';
  if (status === 401) return cliErrors.UNAUTHORIZED({ url, said, how, status, kind: 'unauthorized' });
  if (status !== 403) return undefined;
  if (kind === 'insufficient-scope') return cliErrors.SCOPE({ url, message, how, status, kind });
  return typeof kind === 'string' ? undefined : cliErrors.FORBIDDEN({ url, status });
}
